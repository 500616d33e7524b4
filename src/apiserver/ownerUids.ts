import type { KubeObject, OwnerReference, RecordedEvent } from '../cluster/types.js'

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
  return uid === undefined ? object : { ...object, involvedObject: { ...involvedObject, uid } }
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
