import type { ContainerStatus, KubeObject, OwnerReference, Pod, RecordedEvent } from '../cluster/types.js'

/** An Event with the uid that its object had at the first occurrence, by which `kubectl describe` finds it. */
export function withInvolvedUid<Kind extends KubeObject>(
  object: Kind,
  previous: KubeObject | undefined,
  uidOf: (involved: KubeObject) => string | undefined,
): Kind {
  const { involvedObject } = object as Partial<RecordedEvent>
  if (involvedObject === undefined || involvedObject.uid !== undefined) return object
  const { apiVersion, kind, name, namespace } = involvedObject
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
  const before = (previous as Partial<RecordedEvent> | undefined)?.involvedObject?.uid
  const uid = before ?? uidOf({ apiVersion, kind, metadata })
  if (uid === undefined) return object
  const { reason, message = '' } = object as Partial<RecordedEvent>
  const text = kind === 'Pod' && reason === 'BackOff' ? { message: withUid(message, metadata, uid) } : {}
  return { ...object, involvedObject: { ...involvedObject, uid }, ...text }
}

/**
 * The object with the uids of its owners, which clients compare (metav1.IsControlledBy). `uidOf` has the owners that
 * exist; a reference to an owner that is gone keeps the uid of the previous version of the object.
 */
export function withOwnerUids<Kind extends KubeObject>(
  object: Kind,
  previous: KubeObject | undefined,
  uidOf: (owner: KubeObject) => string | undefined,
): Kind {
  const { ownerReferences, namespace } = object.metadata
  if (ownerReferences === undefined) return object
  const filled = ownerReferences.map((owner): OwnerReference => {
    const { apiVersion, kind, name, uid, ...flags } = owner
    const before = previous?.metadata.ownerReferences?.find((one) => one.kind === kind && one.name === name)
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
    const known = uid ?? uidOf({ apiVersion, kind, metadata }) ?? before?.uid
    return known === undefined ? owner : { apiVersion, kind, name, uid: known, ...flags }
  })
  return { ...object, metadata: { ...object.metadata, ownerReferences: filled } }
}

/** A pod whose containers wait for their restart, with its uid in their messages as kubelet writes it (format.Pod). */
export function withPodUid<Kind extends KubeObject>(object: Kind, uid: string): Kind {
  const { kind, metadata, status } = object as KubeObject & Partial<Pod>
  const isWaiting = ({ state }: ContainerStatus) => state?.waiting?.reason === 'CrashLoopBackOff'
  if (kind !== 'Pod' || status?.containerStatuses?.some(isWaiting) !== true) return object
  const containerStatuses = status.containerStatuses.map((one) => {
    const { reason = '', message = '' } = one.state?.waiting ?? {}
    return isWaiting(one)
      ? { ...one, state: { waiting: { reason, message: withUid(message, metadata, uid) } } }
      : one
  })
  return { ...object, status: { ...status, containerStatuses } }
}

function withUid(message: string, { name, namespace = 'default' }: Pod['metadata'], uid: string): string {
  return message.endsWith(`${name}_${namespace}`) ? `${message}(${uid})` : message
}
