import type { KubeObject } from '../cluster/types.js'
import type { Resource } from './resources.js'

/** One change of the store; `object` is the state after the change, or the last state of a DELETED object. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: Resource
  readonly resourceVersion: number
  readonly object: KubeObject
  readonly previous?: KubeObject | undefined
}

/** The most recent changes, in order; `start` is the oldest resourceVersion that a watch can start after. */
export interface History {
  readonly start: number
  add(event: StoreEvent): void
  /** The changes after a resourceVersion; undefined when some of them are no longer kept. */
  since(resourceVersion: number): readonly StoreEvent[] | undefined
}

/** A history that keeps at least the last `length` changes after the resourceVersion `start`. */
export function createHistory(length: number, start: number): History {
  let events: StoreEvent[] = []
  let oldest = start
  return {
    get start() {
      return oldest
    },
    add(event) {
      events.push(event)
      // Trimmed in blocks: moving the whole array at every change would be slow.
      if (events.length < length + Math.max(1, length / 4)) return
      const forgotten = events.length - length
      oldest = events[forgotten - 1]?.resourceVersion ?? oldest
      events = events.slice(forgotten)
    },
    since(resourceVersion) {
      if (resourceVersion < oldest) return undefined
      return events.slice(firstAfter(events, resourceVersion))
    },
  }
}

function firstAfter(events: readonly StoreEvent[], resourceVersion: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.resourceVersion ?? 0) <= resourceVersion) low = middle + 1
    else high = middle
  }
  return low
}
