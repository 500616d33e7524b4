import type { Workspace } from './workspace.js'

/** One row of the benchmark: a file under rows/, named as on the command line. */
export interface Row {
  readonly name: string
  /** Why it cannot be measured here; undefined if it can. */
  skip?(): string | undefined
  measure(workspace: Workspace): Promise<readonly Figure[]>
}

export type Unit = 'ms' | 'ms/pod' | 'µs/Service' | 'MB' | 'pods' | 'µs' | 'requests/s'

/** One measurement of a row: its values, those of its floor if there is one, and its upper bound. */
export interface Figure {
  readonly what: string
  readonly unit: Unit
  readonly measured: readonly number[]
  /** The same work without vethlab, measured alternately with it. */
  readonly floor?: readonly number[]
  /** The maximum as a multiple of the floor, or in units; a figure without a bound is only printed. */
  readonly bound?: { readonly ratio: number } | { readonly most: number }
}

/** A checked figure: `ok` is undefined if there is no bound. */
export interface Verdict {
  readonly ratio: number | undefined
  readonly ok: boolean | undefined
}

/** The value that other work on the host has changed least: the shortest time, or the highest rate. */
export function best(values: readonly number[], unit: Unit): number {
  return unit === 'requests/s' ? Math.max(...values) : Math.min(...values)
}

/** Compares the best values, because other work on the host can only make a value worse. */
export function evaluate({ measured, floor, bound, unit }: Figure): Verdict {
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
