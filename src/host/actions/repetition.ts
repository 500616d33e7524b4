import type { Outcome, RequestResult } from '../../results/request.js'

/** How often an action is done. */
export interface Repetition {
  readonly repeat: number
  /** Number of lost requests that end it early: one broken rule would otherwise make a learner wait for minutes. */
  readonly giveUpAfter: number
  /** Seconds that connecting may take for an HTTP request, including name resolution and TLS. */
  readonly connectSeconds?: number | undefined
  /** Add an X-Request-ID to each HTTP request without one; it relates a proxy's connections to the request. */
  readonly requestIds?: boolean | undefined
}

/** Repeats an action until it has run often enough, or too many requests were lost. */
export async function repeated(
  { repeat, giveUpAfter }: Repetition,
  once: () => Promise<RequestResult>,
): Promise<RequestResult[]> {
  const results: RequestResult[] = []
  while (results.length < repeat && lost(results) < giveUpAfter) results.push(await once())
  return results
}

/** How many of the requests were lost. */
export function lost(results: readonly RequestResult[]): number {
  return results.filter(({ outcome }) => isLost(outcome)).length
}

/**
 * Whether a request with this outcome was waited for: no answer came in time, or the kernel reported the host as
 * unreachable, which takes seconds if nothing has the address.
 */
export function isLost(outcome: Outcome | undefined): boolean {
  return outcome === 'timeout' || outcome === 'unreachable'
}
