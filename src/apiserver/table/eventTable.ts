import type { KubeObject } from '../../cluster/types.js'
import { column, since, wideColumn, type Column } from './column.js'

/** An Event of the core group, as far as it is printed. */
type PrintedEvent = KubeObject & {
  type?: string
  reason?: string
  message?: string
  count?: number
  firstTimestamp?: string
  lastTimestamp?: string
  involvedObject?: { kind?: string; name?: string; fieldPath?: string }
  source?: { component?: string; host?: string }
}

/** Columns of `kubectl get events`; cells as printEvent of Kubernetes v1.36 writes them. */
export const eventColumns: readonly Column<PrintedEvent>[] = [
  column('Last Seen', 'time since it last happened', ({ lastTimestamp }, now) => since(lastTimestamp, now)),
  column('Type', 'Normal or Warning', ({ type }) => type ?? ''),
  column('Reason', 'what happened, in one word', ({ reason }) => reason ?? ''),
  column(
    'Object',
    'what it happened to',
    ({ involvedObject }) => `${(involvedObject?.kind ?? '').toLowerCase()}/${involvedObject?.name ?? ''}`,
  ),
  wideColumn('Subobject', 'part of the object', ({ involvedObject }) => involvedObject?.fieldPath ?? ''),
  wideColumn('Source', 'who reported it', ({ source }) =>
    [source?.component, source?.host].filter((part) => part).join(', '),
  ),
  column('Message', 'what happened, in a sentence', ({ message }) => (message ?? '').trim()),
  wideColumn('First Seen', 'time since it first happened', ({ firstTimestamp }, now) =>
    since(firstTimestamp, now),
  ),
  wideColumn('Count', 'how often it happened', ({ count }) => count ?? 1),
  { ...wideColumn('Name', 'name of the Event', ({ metadata }) => metadata.name), format: 'name' },
]
