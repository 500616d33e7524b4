import type { ReachComparison } from './compare.js'
import type { ReachResult } from './reach.js'

/** The version of the documents: it changes if a field changes its meaning or is removed. */
const version = 1

/** What packets say, with `--prove`. */
export interface ProofDocument {
  /** Of each group, its packet on both sides. */
  readonly groups: readonly ProvenDocument[]
  /** Requests that should end as predicted; of a comparison, alike on both sides. */
  readonly sample: readonly ProvenDocument[]
  readonly notices: readonly string[]
}

/** A request that was sent. */
export interface ProvenDocument {
  readonly request: string
  readonly before?: SentDocument | undefined
  readonly after?: SentDocument | undefined
}

/** One packet of it; `agrees` is null if it was not sent. */
export interface SentDocument {
  readonly agrees: boolean | null
  readonly observed: string
}

/** What `vethlab reach --json` prints. */
export function reachDocument(
  { unknown, broken, sample: _sample, side: _side, ...result }: ReachResult,
  proof?: ProofDocument,
) {
  const promises = broken.map(({ request: _request, ...promise }) => promise)
  return { version, ...result, broken: promises, unknown: countsOf(unknown), ...(proof && { proof }) }
}

/** What `vethlab reach --against… --json` prints: differences by group, and how many there are. */
export function reachComparisonDocument(
  { differences, unknown, groups, sample: _sample, sides: _sides, ...result }: ReachComparison,
  proof?: ProofDocument,
) {
  return {
    ...{ version, ...result, groups: groups.map(({ first: _first, ...group }) => group) },
    ...{ differences: differences.length, unknown: countsOf(unknown), ...(proof && { proof }) },
  }
}

function countsOf(unknown: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries(unknown)
}
