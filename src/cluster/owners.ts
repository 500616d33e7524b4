import { objectKey } from './manifests/locatedObject.js'
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

/**
 * The items with their current controllers: an item that its controller no longer selects is released, one without a
 * controller is adopted by the first that selects it (ControllerRefManager). Owners that are being deleted do neither.
 */
export function withControllers<Item extends KubeObject, Owner extends KubeObject>(
  items: readonly Item[],
  owners: readonly Owner[],
  selects: (owner: Owner, item: Item) => boolean,
): readonly Item[] {
  if (owners.length === 0) return items
  const active = owners.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const byKey = new Map(active.map((owner) => [objectKey(owner), owner]))
  const isSelected = (owner: Owner, item: Item) =>
    (owner.metadata.namespace ?? 'default') === (item.metadata.namespace ?? 'default') && selects(owner, item)
  const next = items.map((item) => {
    if (item.metadata.deletionTimestamp !== undefined) return item
    const key = controllerKey(item)
    const owner = byKey.get(key ?? '')
    if (owner !== undefined) return isSelected(owner, item) ? item : withoutController(item)
    if (key !== undefined) return item
    const adopting = active.find((one) => isSelected(one, item))
    return adopting === undefined ? item : withOwners(item, [...ownersOf(item), ...controlledBy(adopting)])
  })
  return next.every((item, index) => item === items[index]) ? items : next
}

function withoutController<Item extends KubeObject>(item: Item): Item {
  return withOwners(
    item,
    ownersOf(item).filter(({ controller }) => controller !== true),
  )
}

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? []
}

/** An item with these owner references; without the field if there are none. */
export function withOwners<Item extends KubeObject>(item: Item, owners: readonly OwnerReference[]): Item {
  const { ownerReferences: _before, ...metadata } = item.metadata
  const next = owners.length === 0 ? metadata : { ...metadata, ownerReferences: [...owners] }
  return { ...item, metadata: next }
}
