import { objectKey, type LocatedObject } from './manifests/locatedObject.js'
import type { Applied } from './types.js'

/** The parts of a manifest that others may also change. */
export function appliedOf(located: LocatedObject): Applied {
  const { labels = {}, annotations = {} } = located.object.metadata
  return {
    labels: Object.keys(labels),
    annotations: Object.keys(annotations),
    replicas: located.says?.(['spec', 'replicas']) ?? true,
  }
}

/** The same for many objects, by key. */
export function appliedByKey(objects: readonly LocatedObject[]): ReadonlyMap<string, Applied> {
  return new Map(objects.map((located) => [objectKey(located.object), appliedOf(located)]))
}
