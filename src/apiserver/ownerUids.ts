import type { KubeObject, OwnerReference } from '../cluster/types.js'

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
