import type { ServerResponse } from 'node:http'
import type { Clock } from '../../clock.js'
import type { Form } from '../../apiserver/form.js'
import type { Resource } from '../../apiserver/resources.js'
import type { Selects } from '../../apiserver/selection.js'
import { tooOld } from '../../apiserver/status.js'
import type { Store } from '../../apiserver/store.js'
import { bookmark, watchEvent, type WatchEvent } from '../../apiserver/watchEvent.js'
import type { WatchLine } from './watchLines.js'
import type { WatchStart } from '../../apiserver/watchStart.js'

/** One watch: what it selects, how it starts, how long it lasts and the form of its lines. */
export interface Watch {
  readonly resource: Resource
  readonly selects: Selects
  readonly start: WatchStart
  readonly form: Form
  readonly bookmarks: boolean
  readonly timeoutSeconds: number
  readonly bookmarkSeconds: number
  /**
   * A client that falls this many bytes behind is disconnected, as by the API server. It resumes from the last version that it received,
   * and gets 410 if later changes are no longer known.
   */
  readonly maxUnreadBytes: number
  readonly line: WatchLine
}

/**
 * Streams a watch as JSON lines until its timeout, until the client disconnects or until the returned function is
 * called. Past and future events join without a gap, because the store notifies synchronously.
 */
export function streamWatch(response: ServerResponse, store: Store, watch: Watch, clock: Clock): () => void {
  const { resource, selects, start, form, line } = watch
  let columns = true
  // The initial state is written at once, whatever its size.
  let unreadAtStart = Infinity
  const cancels = new Set<() => void>()
  const stop = () => {
    for (const cancel of cancels) cancel()
    cancels.clear()
    if (!response.writableEnded) response.end()
  }
  const send = (event: WatchEvent | undefined, source: object) => {
    if (event === undefined || response.writableEnded || response.destroyed) return
    try {
      const text = line(event, resource, form, columns, source)
      // The columns of a Table are sent once.
      columns = false
      response.write(text)
    } catch {
      // An object that cannot be printed ends this watch; the change of the store continues.
      response.destroy()
    }
    if (response.writableLength > unreadAtStart + watch.maxUnreadBytes) response.destroy()
  }
  const sendOwn = (event: WatchEvent) => send(event, event)
  const sendBookmark = () => {
    if (watch.bookmarks) sendOwn(bookmark(resource, store.resourceVersion, false))
  }
  const sendBookmarksPeriodically = (): (() => void) => {
    let cancel = () => {}
    const wait = () => {
      cancel = clock.after(watch.bookmarkSeconds * 1000, () => {
        sendBookmark()
        wait()
      })
    }
    wait()
    return () => {
      cancel()
    }
  }

  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  // The client waits for the headers, and the first event may be hours away.
  response.flushHeaders()
  response.on('close', stop)

  if (start.withState)
    for (const object of store.list(resource)) if (selects(object)) send({ type: 'ADDED', object }, object)
  if (start.withEndBookmark) sendOwn(bookmark(resource, start.after, true))
  const missed = store.since(start.after)
  if (missed === undefined) {
    response.write(`${JSON.stringify({ type: 'ERROR', object: tooOld(start.after, store.oldest).status })}\n`)
    stop()
    return stop
  }
  for (const event of missed) send(watchEvent(event, resource, selects), event)
  unreadAtStart = response.writableLength
  cancels.add(
    store.subscribe((event) => {
      if (event.resourceVersion > start.after) send(watchEvent(event, resource, selects), event)
    }),
  )
  if (watch.bookmarks) cancels.add(sendBookmarksPeriodically())
  const end = () => {
    // The next watch then starts here, not at the last change of this kind.
    sendBookmark()
    stop()
  }
  cancels.add(clock.after(watch.timeoutSeconds * 1000, end))
  return stop
}
