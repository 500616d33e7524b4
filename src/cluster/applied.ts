import { objectKey, type LocatedObject } from './manifests/locatedObject.js'
import type { Json } from './yaml/toValue.js'

/** The manifests of objects, by key; the next apply removes the fields that only they have. */
export function appliedByKey(objects: readonly LocatedObject[]): ReadonlyMap<string, Json> {
  return new Map(objects.flatMap(({ object, written }) => (written ? [[objectKey(object), written]] : [])))
}
