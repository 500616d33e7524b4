import type { Workspace } from './workspace.js'

/** One row of the benchmark: a file under rows/, named as on the command line. */
export interface Row {
  readonly name: string
  /** Why it cannot be measured here; undefined where it can. */
  skip?(): string | undefined
  measure(workspace: Workspace): Promise<readonly Figure[]>
}

export type Unit = 'ms' | 'ms/pod' | 'µs/Service' | 'MB' | 'pods' | 'µs' | 'requests/s'

/** What one row found out: values of one thing, of its floor where there is one, and what it may be at most. */
export interface Figure {
  readonly what: string
  readonly unit: Unit
  readonly measured: readonly number[]
  /** The same done with nothing in between, measured in turns with it. */
  readonly floor?: readonly number[]
  /** At most so many times the floor, or at most so many units; a figure without a bound is only told. */
  readonly bound?: { readonly ratio: number } | { readonly most: number }
}

/** A figure judged: `ok` is undefined where there is no bound. */
export interface Verdict {
  readonly ratio: number | undefined
  readonly ok: boolean | undefined
}

/** The value that what else the machine does has spoilt least: of times the shortest, of rates the highest. */
export function best(values: readonly number[], unit: Unit): number {
  return unit === 'requests/s' ? Math.max(...values) : Math.min(...values)
}

/** The best value of each side decides: what else the machine does can only add to what the work itself costs. */
export function judge({ measured, floor, bound, unit }: Figure): Verdict {
  const least = best(measured, unit)
  const ratio = floor === undefined ? undefined : least / best(floor, unit)
  if (bound === undefined) return { ratio, ok: undefined }
  if ('most' in bound) return { ratio, ok: least <= bound.most }
  return { ratio, ok: ratio !== undefined && ratio <= bound.ratio }
}

/** The middle value; NaN when there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}
