import type { ReachComparison } from './compare.js'
import type { ReachResult } from './reach.js'

/** The version of the documents: it changes if a field changes its meaning or is removed. */
const version = 1

/** What `vethlab reach --json` prints. */
export function reachDocument({ unknown, ...result }: ReachResult) {
  return { version, ...result, unknown: countsOf(unknown) }
}

/** What `vethlab reach --against… --json` prints: differences by group, and how many there are. */
export function reachComparisonDocument({ differences, unknown, ...result }: ReachComparison) {
  return { version, ...result, differences: differences.length, unknown: countsOf(unknown) }
}

function countsOf(unknown: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries(unknown)
}
