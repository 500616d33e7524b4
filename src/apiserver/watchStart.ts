import type { ListOptions } from './listOptions.js'
import { tooLarge } from './status.js'
import type { Store } from './store.js'

/** How a watch starts. */
export interface WatchStart {
  /** First an ADDED event for every existing object. */
  readonly withState: boolean
  /** Then a bookmark that marks the end of the initial state. */
  readonly withEndBookmark: boolean
  /** Then the changes after this resourceVersion. */
  readonly after: number
}

/**
 * How a watch starts, by the resourceVersion rules of the API (API concepts: "Semantics for watch", "Streaming
 * lists"); throws a 504 Status when the requested state is in the future. Whether the later changes are still kept is
 * checked when the watch reads them.
 */
export function watchStart(options: ListOptions, store: Pick<Store, 'resourceVersion'>): WatchStart {
  const { resourceVersion: requested = 0, sendInitialEvents } = options
  const current = store.resourceVersion
  if (sendInitialEvents === true) {
    if (requested > current) throw tooLarge(requested, current)
    return { withState: true, withEndBookmark: options.allowWatchBookmarks, after: current }
  }
  if (requested === 0)
    return { withState: sendInitialEvents === undefined, withEndBookmark: false, after: current }
  return { withState: false, withEndBookmark: false, after: requested }
}
