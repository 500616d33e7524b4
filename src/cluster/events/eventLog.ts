import type { Cluster, EventLog, KubeObject, RecordedEvent } from '../types.js'

/** Something that a component of the cluster reports about an object. */
export interface Occurrence {
  readonly object: KubeObject
  /** A part of the object: `spec.containers{web}`. */
  readonly fieldPath?: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The component, and the node on which it runs. */
  readonly component: string
  readonly host?: string
}

/** `--event-ttl` of kube-apiserver. */
const keptMilliseconds = 3_600_000

/** More than an API of a lab needs to show; a large lab starts with several for each pod. */
const mostEvents = 1000

/** The cluster with Events of this moment. One that is equal to an earlier one increments the count of that. */
export function withRecorded(cluster: Cluster, occurrences: readonly Occurrence[]): Cluster {
  const { now } = cluster
  if (now === undefined || occurrences.length === 0) return cluster
  const start = cluster.events ?? { recorded: 0, events: [] }
  const log = occurrences.reduce((before, occurrence) => recorded(before, occurrence, now), start)
  const oldest = Date.parse(now) - keptMilliseconds
  const kept = log.events.filter(({ lastTimestamp }) => Date.parse(lastTimestamp) >= oldest)
  return { ...cluster, events: { ...log, events: kept } }
}

function recorded({ recorded: number, events }: EventLog, occurrence: Occurrence, now: string): EventLog {
  const time = now.replace(/\.\d+Z$/, 'Z')
  const event = eventOf(occurrence, time)
  // A pod that is scheduled is not the earlier one of its name.
  const start = events.findLastIndex((one) => isAboutSame(one, event) && one.reason === 'Scheduled')
  const index = events.findLastIndex(
    (one, at) => at > start && isAboutSame(one, event) && isEqual(one, event),
  )
  const earlier = events[index]
  if (earlier !== undefined) {
    const again = { ...earlier, count: earlier.count + 1, lastTimestamp: time }
    return { recorded: number, events: events.with(index, again) }
  }
  // As client-go names them: by the time in nanoseconds, so that their order is that of their names.
  const suffix = (BigInt(Date.parse(now)) * 1_000_000n + BigInt(number)).toString(16)
  const metadata = { ...event.metadata, name: `${event.metadata.name}.${suffix}` }
  return { recorded: number + 1, events: [...events, { ...event, metadata }].slice(-mostEvents) }
}

function isAboutSame({ involvedObject: a }: RecordedEvent, { involvedObject: b }: RecordedEvent): boolean {
  return a.name === b.name && a.kind === b.kind && a.namespace === b.namespace
}

function isEqual(a: RecordedEvent, b: RecordedEvent): boolean {
  const facts = ({ involvedObject: { fieldPath }, type, reason, message, source }: RecordedEvent) =>
    JSON.stringify([fieldPath, type, reason, message, source])
  return facts(a) === facts(b)
}

/** An Event whose name is still that of the object. */
function eventOf({ object, fieldPath, component, host, ...facts }: Occurrence, time: string): RecordedEvent {
  const { apiVersion, kind, metadata } = object
  const { name, namespace } = metadata
  const event = {
    apiVersion: 'v1',
    kind: 'Event' as const,
    metadata: { name, namespace: namespace ?? 'default' },
    involvedObject: {
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      apiVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    reason: facts.reason,
    message: facts.message,
    source: { component, ...(host === undefined ? {} : { host }) },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: facts.type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host ?? '',
  }
  return event
}
