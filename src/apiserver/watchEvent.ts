import type { KubeObject, ObjectMeta } from '../cluster/types.js'
import type { StoreEvent } from './history.js'
import { apiVersionOf, type Resource } from './resources.js'
import type { Selects } from './selection.js'
import { atVersion } from './stamp.js'
import { shownBy, storedAs } from './store.js'

/** An event of a watch, before conversion to the form that the client accepts. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: KubeObject
}

/**
 * The event that a change is for a watch with this selection: an object that starts to match is ADDED, one that stops
 * matching is DELETED with the last state that the client knew. Mirrors convertToWatchEvent of the API server's
 * cacher.
 */
export function watchEvent(event: StoreEvent, resource: Resource, selects: Selects): WatchEvent | undefined {
  if (event.resource !== storedAs(resource)) return undefined
  const show = shownBy(resource)
  const object = show(event.object)
  const previous = event.previous && show(event.previous)
  const before = previous !== undefined && selects(previous) ? previous : undefined
  const now = event.type !== 'DELETED' && selects(object)
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object }
  return before && { type: 'DELETED', object: atVersion(before, event.resourceVersion) }
}

/** An event with the resourceVersion that the client has reached; an annotation marks the end of the initial state. */
export function bookmark(
  resource: Resource,
  resourceVersion: number,
  endsInitialEvents: boolean,
): WatchEvent {
  const annotations = endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  const metadata: Partial<ObjectMeta> = { resourceVersion: String(resourceVersion), ...annotations }
  const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata, ...resource.blank }
  // The only object without a name.
  return { type: 'BOOKMARK', object: object as KubeObject }
}
