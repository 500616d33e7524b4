import type { KubeObject, ObjectMeta } from '../cluster/types.js'
import type { StoreEvent } from './history.js'
import { apiVersionOf, type Resource } from './resources.js'
import type { Selects } from './selection.js'
import { atVersion } from './stamp.js'

/** A line of a watch, before it is written in the form that the client asked for. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: KubeObject
}

/**
 * What a change means to a watcher with this selection: an object that comes into it is ADDED, one that
 * leaves it is DELETED with the last state that the watcher knew. Mirrors convertToWatchEvent of the API
 * server's cacher.
 */
export function watchEvent(event: StoreEvent, resource: Resource, selects: Selects): WatchEvent | undefined {
  if (event.resource !== resource) return undefined
  const before = event.previous !== undefined && selects(event.previous) ? event.previous : undefined
  const now = event.type !== 'DELETED' && selects(event.object)
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object: event.object }
  return before && { type: 'DELETED', object: atVersion(before, event.resourceVersion) }
}

/**
 * An event that says up to where the watcher is; the one that ends the initial state says so in an
 * annotation.
 */
export function bookmark(
  resource: Resource,
  resourceVersion: number,
  endsInitialEvents: boolean,
): WatchEvent {
  const annotations = endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  const metadata: Partial<ObjectMeta> = { resourceVersion: String(resourceVersion), ...annotations }
  const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata, ...resource.blank }
  // The one object without a name.
  return { type: 'BOOKMARK', object: object as KubeObject }
}
