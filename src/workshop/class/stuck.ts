/** `failing`: checks fail, and none has passed for a while. `idle`: a lab runs, and nothing was done for a while. */
export type StuckReason = 'failing' | 'idle'

/** What is known of a participant; times are milliseconds since the epoch. */
export interface ParticipantActivity {
  /** Whether the lab of the exercise runs. */
  readonly running: boolean
  readonly solved: boolean
  readonly startedAt?: number | undefined
  readonly failedChecks: number
  readonly lastActivity?: number | undefined
}

/** A participant is stuck after this time, in milliseconds. */
export const stuckMs = 8 * 60_000

/** Why a participant may need help; undefined if nothing indicates it. */
export function stuckReason(
  { running, solved, startedAt = 0, failedChecks, lastActivity = 0 }: ParticipantActivity,
  now: number,
): StuckReason | undefined {
  if (!running || solved || startedAt + stuckMs > now) return undefined
  if (Math.max(lastActivity, startedAt) + stuckMs <= now) return 'idle'
  return failedChecks > 0 ? 'failing' : undefined
}
