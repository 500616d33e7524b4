import type { GatewayCondition } from '../../cluster/types/gateway.js'

/**
 * A status with the lastTransitionTime of each condition: the time before if the condition has not changed, otherwise
 * `now`. A condition without a time has had its status from the start.
 */
export function withTransitions<Status>(status: Status, before: unknown, now: string | undefined): Status {
  const time = now?.replace(/\.\d+Z$/, 'Z')
  return eachCondition(status, before, ({ status }, old) =>
    old?.status === status ? old.lastTransitionTime : time,
  )
}

/** A status in which conditions without a time have the time of the start. */
export function withStartTimes<Status>(status: Status, start: string): Status {
  return eachCondition(status, undefined, ({ lastTransitionTime = start }) => lastTransitionTime)
}

/** The time of a condition, from itself and the condition before. */
type TimeOf = (condition: GatewayCondition, before: GatewayCondition | undefined) => string | undefined

function eachCondition<Status>(status: Status, before: unknown, timeOf: TimeOf): Status {
  // both are JSON values of the same shape, traversed together
  return walk(status, before, timeOf) as Status
}

function walk(value: unknown, before: unknown, timeOf: TimeOf): unknown {
  if (Array.isArray(value)) {
    const old: unknown[] = Array.isArray(before) ? before : []
    return value.map((one: unknown) =>
      walk(
        one,
        old.find((other) => identity(other) === identity(one)),
        timeOf,
      ),
    )
  }
  if (typeof value !== 'object' || value === null) return value
  if (isCondition(value)) {
    const { lastTransitionTime: _, reason, message, ...condition } = value
    const time = timeOf(value, isCondition(before) ? before : undefined)
    return { ...condition, ...(time === undefined ? {} : { lastTransitionTime: time }), reason, message }
  }
  const old = new Map<string, unknown>(
    typeof before === 'object' && before !== null ? Object.entries(before) : [],
  )
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, old.get(key), timeOf)]))
}

function isCondition(value: unknown): value is GatewayCondition {
  return typeof value === 'object' && value !== null && 'observedGeneration' in value && 'reason' in value
}

/** The identity of a list item: a condition's type, a listener's name, a parent's reference. */
function identity(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { type, name, parentRef, controllerName } = value as Readonly<Record<string, unknown>>
  return JSON.stringify([type, name, parentRef, controllerName])
}
