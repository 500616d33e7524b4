import { column, since, wideColumn } from '../columns/column.js'
import type { Column } from '../columns/column.js'
import type { KubeObject } from '../types.js'
import { defineResource } from './kind.js'

/** The fields of an Event of the core group that are printed. */
type CoreEvent = KubeObject & {
  type?: string
  reason?: string
  message?: string
  count?: number
  firstTimestamp?: string
  lastTimestamp?: string
  involvedObject?: { kind?: string; name?: string; fieldPath?: string }
  source?: { component?: string; host?: string }
}

/** The names in events.k8s.io/v1 of fields of core/v1 (pkg/apis/events/v1/conversion.go of Kubernetes v1.36). */
const newNames: Readonly<Record<string, string>> = {
  message: 'note',
  count: 'deprecatedCount',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  involvedObject: 'regarding',
  source: 'deprecatedSource',
  reportingComponent: 'reportingController',
}
const coreNames = Object.fromEntries(Object.entries(newNames).map(([core, name]) => [name, core]))

/** An object with other names of its fields. */
function renamed(object: KubeObject, names: Readonly<Record<string, string>>): KubeObject {
  const fields = Object.entries(object).map(([field, value]) => [names[field] ?? field, value] as const)
  return Object.fromEntries(fields) as unknown as KubeObject
}

/** Columns of `kubectl get events`; cells as printEvent of Kubernetes v1.36 writes them. */
const coreColumns: readonly Column<CoreEvent>[] = [
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
  columns: coreColumns,
})

/** Event of events.k8s.io/v1: the Events of the core group, with other names of fields. */
export const event = defineResource({
  ...shared,
  group: 'events.k8s.io',
  fields: blankFields('regarding', ['reason', 'reportingController', 'type']),
  blank: { eventTime: null, regarding: {}, deprecatedSource: {} },
  columns: coreColumns.map((one): Column => ({
    ...one,
    cell: (shown, now) => one.cell(renamed(shown, coreNames), now),
  })),
  view: {
    of: coreEvent,
    show: (stored) => ({ ...renamed(stored, newNames), apiVersion: 'events.k8s.io/v1' }),
  },
})

/** The reference to the object, and other fields. */
function blankFields(reference: string, others: readonly string[]): Record<string, string> {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  const labels = [...fields.map((field) => `${reference}.${field}`), ...others]
  return Object.fromEntries(labels.map((label) => [label, '']))
}
