import type { TraceComparison } from '../observed/compare.js'

/** How many requests were predicted, and how many the kernel has treated as predicted. */
export interface PathCounts {
  /** Requests whose path is predicted, those in part included. */
  readonly predicted: number
  readonly observed: number
  /** Predicted up to a host where what follows is not known. */
  readonly inPart: number
  readonly unpredicted: number
}

/** No requests. */
export const noPaths: PathCounts = { predicted: 0, observed: 0, inPart: 0, unpredicted: 0 }

/** The counts of one request; `unpredicted` is why it, or the end of its path, is not predicted. */
export function countsOf(
  comparison: TraceComparison | undefined,
  unpredicted: string | undefined,
): PathCounts {
  if (comparison === undefined) return { ...noPaths, unpredicted: 1 }
  const isSame = comparison.differences.length === 0
  return { predicted: 1, observed: isSame ? 1 : 0, inPart: unpredicted === undefined ? 0 : 1, unpredicted: 0 }
}

/** The sum of two counts. */
export function addCounts(a: PathCounts, b: PathCounts): PathCounts {
  return {
    predicted: a.predicted + b.predicted,
    observed: a.observed + b.observed,
    inPart: a.inPart + b.inPart,
    unpredicted: a.unpredicted + b.unpredicted,
  }
}

/** `16 paths predicted, 16 as observed` */
export function verifiedSummary({ predicted, observed, inPart, unpredicted }: PathCounts): string {
  const paths = predicted === 1 ? '1 path' : `${predicted} paths`
  const part = inPart === 0 ? '' : `; ${inPart} in part`
  const not = unpredicted === 0 ? '' : `; ${unpredicted} not predicted`
  return `${paths} predicted, ${observed} as observed${part}${not}`
}
