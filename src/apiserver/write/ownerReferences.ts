import { sameJson } from '../../cluster/hash.js'
import type { KubeObject, OwnerReference } from '../../cluster/types.js'

/** An object with each owner once, and a warning if one was there twice (dedupOwnerReferencesAndAddWarning). */
export function withUniqueOwners(object: KubeObject): {
  readonly object: KubeObject
  readonly warnings: readonly string[]
} {
  const { ownerReferences = [] } = object.metadata
  const isFirst = (owner: OwnerReference, index: number) =>
    ownerReferences.findIndex((other) => sameJson(other, owner)) === index
  const unique = ownerReferences.filter(isFirst)
  if (unique.length === ownerReferences.length) return { object, warnings: [] }
  const repeated = ownerReferences.filter((owner, index) => !isFirst(owner, index)).map(({ uid = '' }) => uid)
  return {
    object: { ...object, metadata: { ...object.metadata, ownerReferences: unique } },
    warnings: [
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
    ],
  }
}
