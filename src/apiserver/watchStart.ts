import type { ListOptions } from './listOptions.js'
import { tooLarge } from './status.js'
import type { Store } from './store.js'

/** How a watch begins. */
export interface WatchStart {
  /** First an ADDED for every object there is. */
  readonly withState: boolean
  /** Then a bookmark that says that this was all. */
  readonly withEndBookmark: boolean
  /** Then the changes after this resourceVersion. */
  readonly after: number
}

/**
 * Where a watch begins, by the resourceVersion rules of the API (API concepts: "Semantics for watch",
 * "Streaming lists"); throws a 504 Status when the state that is asked for lies in the future. Whether what
 * comes after is still known shows when the watch reads it.
 */
export function watchStart(options: ListOptions, store: Pick<Store, 'resourceVersion'>): WatchStart {
  const { resourceVersion: asked = 0, sendInitialEvents } = options
  const current = store.resourceVersion
  if (sendInitialEvents === true) {
    if (asked > current) throw tooLarge(asked, current)
    return { withState: true, withEndBookmark: options.allowWatchBookmarks, after: current }
  }
  if (asked === 0)
    return { withState: sendInitialEvents === undefined, withEndBookmark: false, after: current }
  return { withState: false, withEndBookmark: false, after: asked }
}
