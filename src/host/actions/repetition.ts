import type { RequestResult } from '../../results/request.js'

/** How often an action is done. */
export interface Repetition {
  readonly repeat: number
  /** Number of timeouts that end it early: one broken rule would otherwise make a learner wait for minutes. */
  readonly giveUpAfter: number
  /** Seconds that connecting may take for an HTTP request, including name resolution and TLS. */
  readonly connectSeconds?: number | undefined
  /** Add an X-Request-ID to each HTTP request without one; it relates a proxy's connections to the request. */
  readonly requestIds?: boolean | undefined
}

/** Repeats an action until it has run often enough, or timed out too often. */
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
