import type { RequestResult } from '../../results/request.js'

/** How often an action is done. */
export interface Repetition {
  readonly repeat: number
  /** So many timeouts end it early: one broken rule would otherwise keep a learner waiting for minutes. */
  readonly giveUpAfter: number
  /** Longest that the connection of an HTTP request may take, name resolution and TLS included. */
  readonly connectSeconds?: number | undefined
  /** An X-Request-ID for each HTTP request that has none, by which a proxy's connections are tied to it. */
  readonly requestIds?: boolean | undefined
}

/** Does something until it was done often enough, or timed out too often. */
export async function repeated(
  { repeat, giveUpAfter }: Repetition,
  once: () => Promise<RequestResult>,
): Promise<RequestResult[]> {
  const results: RequestResult[] = []
  while (results.length < repeat && timeouts(results) < giveUpAfter) results.push(await once())
  return results
}

/** How many of the requests got no answer in time. */
export function timeouts(results: readonly RequestResult[]): number {
  return results.filter(({ outcome }) => outcome === 'timeout').length
}
