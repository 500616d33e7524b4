import { flag, integer } from './listOptions.js'
import { badRequest, invalidOptions, type FieldCause } from './status.js'

/** The query of a pod's log: v1.PodLogOptions. */
export interface LogOptions {
  readonly follow: boolean
  readonly previous: boolean
  readonly timestamps: boolean
  /** Only lines written at this time or later, in ms since 1970. */
  readonly since: number | undefined
  /** Only this many lines from the end; what `since` leaves out is counted too, as kubelet counts. */
  readonly tailLines: number | undefined
  /** Only this many bytes, times included. */
  readonly limitBytes: number | undefined
}

/**
 * Parses and validates the query for the log of the pod `name`; `now` is in ms. Throws the 400 or 422 Status of the API server
 * (ValidatePodLogOptions).
 */
export function parseLogOptions(query: URLSearchParams, name: string, now: number): LogOptions {
  const tailLines = integer(query, 'tailLines')
  const limitBytes = integer(query, 'limitBytes')
  const sinceSeconds = integer(query, 'sinceSeconds')
  const sinceTime = timeOf(query.get('sinceTime') ?? '')
  const causes = [
    ...atLeast(0, 'tailLines', tailLines),
    ...atLeast(1, 'limitBytes', limitBytes),
    ...(sinceTime === undefined ? atLeast(1, 'sinceSeconds', sinceSeconds) : []),
    ...(sinceTime !== undefined && sinceSeconds !== undefined ? [bothSince] : []),
  ]
  if (causes.length > 0) throw invalidOptions({ kind: 'PodLogOptions', name }, causes)
  return {
    follow: flag(query, 'follow'),
    previous: flag(query, 'previous'),
    timestamps: flag(query, 'timestamps'),
    since: sinceSeconds === undefined ? sinceTime : now - sinceSeconds * 1000,
    tailLines,
    limitBytes,
  }
}

const bothSince: FieldCause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  field: '',
}

function atLeast(least: 0 | 1, field: string, value: number | undefined): FieldCause[] {
  if (value === undefined || value >= least) return []
  const must = least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0'
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${must}`, field }]
}

/** RFC 3339, as metav1.Time is written. */
function timeOf(text: string): number | undefined {
  if (text === '' || text === 'null') return undefined
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
  const time = form.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(time)) return time
  throw badRequest(`sinceTime: Invalid value: "${text}": must be a time as in 2006-01-02T15:04:05Z07:00`)
}
