import * as z from 'zod'

const longest = 600
const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 }

const anyDuration = z.union([
  z.number(),
  z.string().regex(/^\d+(\.\d+)?(ms|s|m)$/, 'is not a duration: write seconds, or 500ms, 2s, 1m'),
])

/** A duration: seconds as a number, or a number with its unit (`500ms`, `2s`, `1m`). */
export const durationSchema = anyDuration.refine((value) => {
  const seconds = secondsOf(value)
  return Number.isNaN(seconds) || (seconds > 0 && seconds <= longest)
}, `must be more than 0 and at most ${longest} seconds`)

/** The same, or 0 for not waiting at all. */
export const durationOrNone = anyDuration.refine((value) => {
  const seconds = secondsOf(value)
  return Number.isNaN(seconds) || (seconds >= 0 && seconds <= longest)
}, `must be at least 0 and at most ${longest} seconds`)

/** The duration in seconds; NaN for an invalid text. */
export function secondsOf(value: number | string): number {
  if (typeof value === 'number') return value
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? []
  return Number(digits) * (units[unit] ?? NaN)
}
