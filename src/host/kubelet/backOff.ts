/** kubelet's CrashLoopBackOff: seconds before a container restarts, doubled with each restart up to the longest. */
const seconds = { first: 10, longest: 300 }

/** The back-off of a container that was restarted; `at` is when, in milliseconds. */
export interface BackOff {
  readonly seconds: number
  readonly at: number
}

/**
 * Seconds from the end of a container to its restart: none before the first restart, and none for a container that has run
 * for more than twice the longest back-off, 10 minutes (flowcontrol.Backoff, IsInBackOffSince).
 */
export function backOffSeconds(last: BackOff | undefined, endedAt: number): number {
  return last === undefined || isOver(last, endedAt) ? 0 : last.seconds
}

/** The back-off after a restart now (flowcontrol.Backoff, Next). */
export function nextBackOff(last: BackOff | undefined, endedAt: number, now: number): BackOff {
  const restarted = last === undefined || isOver(last, endedAt)
  return { seconds: restarted ? seconds.first : Math.min(last.seconds * 2, seconds.longest), at: now }
}

function isOver(last: BackOff, endedAt: number): boolean {
  return endedAt - last.at > 2 * seconds.longest * 1000
}
