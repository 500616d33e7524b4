import type { KubeObject } from '../../cluster/types.js'
import { since } from '../../cluster/columns/column.js'
import type { Section } from './describer.js'

/** The fields of an Event of the core group that are shown. */
export interface DescribedEvent extends KubeObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly involvedObject?: { readonly fieldPath?: string }
  readonly source?: { readonly component?: string }
}

/** The events of an object, the oldest first, as `kubectl describe` lists them. */
export function eventSection(events: readonly DescribedEvent[], now: Date): Section {
  const sorted = [...events].sort((a, b) => time(a) - time(b))
  return {
    heading: 'Events',
    rows: [
      ['Type', 'Reason', 'Age', 'From', 'Message'],
      ...sorted.map((event) => [
        event.type ?? '',
        event.reason ?? '',
        age(event, now),
        event.source?.component ?? '',
        messageOf(event),
      ]),
    ],
  }
}

/** With the part of the object, as kubectl 1.35 and later print it. */
function messageOf({ message = '', involvedObject }: DescribedEvent): string {
  const { fieldPath } = involvedObject ?? {}
  return fieldPath === undefined ? message.trim() : `${fieldPath}: ${message.trim()}`
}

function age({ count = 1, firstTimestamp, lastTimestamp }: DescribedEvent, now: Date): string {
  const last = since(lastTimestamp, now)
  return count > 1 ? `${last} (x${count} over ${since(firstTimestamp, now)})` : last
}

function time({ lastTimestamp = '' }: DescribedEvent): number {
  return Date.parse(lastTimestamp) || 0
}
