import { column, since, wideColumn } from '../columns/column.js'
import type { Column } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

/** The fields of an Event of the core group that are printed. */
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
const columns: readonly Column<PrintedEvent>[] = [
  column('Last Seen', 'time since it last happened', ({ lastTimestamp }, now) => since(lastTimestamp, now)),
  column('Type', 'Normal or Warning', ({ type }) => type ?? ''),
  column('Reason', 'short name of what happened', ({ reason }) => reason ?? ''),
  column(
    'Object',
    'what it happened to',
    ({ involvedObject }) => `${(involvedObject?.kind ?? '').toLowerCase()}/${involvedObject?.name ?? ''}`,
  ),
  wideColumn('Subobject', 'part of the object', ({ involvedObject }) => involvedObject?.fieldPath ?? ''),
  wideColumn('Source', 'component that reported it', ({ source }) =>
    [source?.component, source?.host].filter((part) => part).join(', '),
  ),
  column('Message', 'what happened, in a sentence', ({ message }) => (message ?? '').trim()),
  wideColumn('First Seen', 'time since it first happened', ({ firstTimestamp }, now) =>
    since(firstTimestamp, now),
  ),
  wideColumn('Count', 'how often it happened', ({ count }) => count ?? 1),
  { ...wideColumn('Name', 'name of the Event', ({ metadata }) => metadata.name), format: 'name' },
]

const shared = {
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  verbs: ['create', 'get', 'list', 'watch'],
}

/** Event of core/v1. */
export const coreEvent = defineResource({
  ...shared,
  group: '',
  fields: blankFields('involvedObject', ['reason', 'reportingComponent', 'source', 'type']),
  blank: { involvedObject: {}, source: {}, eventTime: null, reportingComponent: '', reportingInstance: '' },
  columns,
})

/** Event of events.k8s.io/v1. */
export const event = defineResource({
  ...shared,
  group: 'events.k8s.io',
  fields: blankFields('regarding', ['reason', 'reportingController', 'type']),
  blank: { eventTime: null, regarding: {}, deprecatedSource: {} },
  columns,
})

/** The reference to the object, and other fields. */
function blankFields(reference: string, others: readonly string[]): Record<string, string> {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  const labels = [...fields.map((field) => `${reference}.${field}`), ...others]
  return Object.fromEntries(labels.map((label) => [label, '']))
}
