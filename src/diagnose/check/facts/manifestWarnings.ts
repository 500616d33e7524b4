import { kindOf } from '../../../cluster/kinds/index.js'
import { namespacedName } from '../../../cluster/namespacedName.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { Fact } from './fact.js'

/** What the API server warns about in manifests: the objects are accepted, so these are notes. */
export function manifestWarnings({ warnings = [] }: Snapshot): Fact[] {
  return warnings.map(({ object: { kind, metadata }, field, message, at }) => {
    const { namespaced } = kindOf(kind)
    const { name, namespace = 'default' } = metadata
    return {
      note: true,
      code: 'api-warning',
      says: `the API server warns about ${kind} ${namespaced ? namespacedName({ metadata }) : name}: ${message}`,
      object: { kind, ...(namespaced && { namespace }), name, field },
      at: [at],
      fixes: [],
    }
  })
}
