import type { Kind } from '../../cluster/kinds/kind.js'
import { qosClass } from '../../cluster/pods/qosClass.js'
import type { KubeObject, Pod } from '../../cluster/types.js'
import { stamped } from '../stamp.js'
import type { ObjectWrite } from './objectWrite.js'

type WithStatus = KubeObject & { readonly status?: unknown }

/** Kinds that the API shows with fields of its own: the answer to their write is what is stored then. */
const shownOtherwise = ['Namespace', 'Node']

/**
 * The object that a write is answered with: as it was written, with the status of before it. `stored` is what the controllers have made
 * of it since, which a real API server does not wait for.
 */
export function writtenObject(
  { verb }: Pick<ObjectWrite, 'verb'>,
  kind: Kind,
  written: KubeObject,
  stored: KubeObject,
  before: KubeObject | undefined,
): KubeObject {
  const { metadata } = stored
  if (kind.blank['status'] === undefined || shownOtherwise.includes(kind.kind) || verb === 'delete')
    return stored
  const { status: ownStatus, ...rest } = written as WithStatus
  const status =
    before === undefined
      ? firstStatus(kind, written)
      : verb === 'updateStatus'
        ? ownStatus
        : (before as WithStatus).status
  const { uid = '', resourceVersion = '', creationTimestamp = '', ownerReferences } = metadata
  const owned =
    ownerReferences === undefined ? rest : { ...rest, metadata: { ...rest.metadata, ownerReferences } }
  const whole = status === undefined ? owned : Object.assign(owned, { status })
  return stamped(whole, kind, { uid, resourceVersion, creationTimestamp })
}

/** The status of a new object (PrepareForCreate of its strategy). */
function firstStatus(kind: Kind, object: KubeObject): unknown {
  return kind.kind === 'Pod' ? { phase: 'Pending', qosClass: qosClass(object as Pod) } : kind.blank['status']
}
