import type { KubeObject, ObjectMeta, OwnerReference } from './types.js'

/** The reference to the controller of an object. */
export function controllerOf(metadata: ObjectMeta): OwnerReference | undefined {
  return metadata.ownerReferences?.find((owner) => owner.controller === true)
}

/** An owner reference to a controller's object. */
export function controlledBy(owner: KubeObject): OwnerReference[] {
  const { apiVersion, kind, metadata } = owner
  return [{ apiVersion, kind, name: metadata.name, controller: true, blockOwnerDeletion: true }]
}

/** Namespace, kind and name of an object's controller as one text; undefined without a controller. */
export function controllerKey(object: KubeObject): string | undefined {
  const owner = controllerOf(object.metadata)
  return owner === undefined ? undefined : `${owner.kind}/${object.metadata.namespace ?? ''}/${owner.name}`
}

/** Objects by the key of their controller. */
export function byController<Item extends KubeObject>(objects: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const object of objects) {
    const key = controllerKey(object)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [object])
    else group.push(object)
  }
  return groups
}
