import { setTimeout as delay } from 'node:timers/promises'

/** How often a condition is checked. */
const lookEveryMs = 3

export interface UntilOptions {
  /** Longest to wait. */
  readonly patienceMs: number
  readonly everyMs?: number
}

/**
 * Polls a condition; resolves with whether it became true in time. It uses a monotonic clock, because the host's date may
 * change.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { patienceMs, everyMs = lookEveryMs }: UntilOptions,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await delay(everyMs)
  }
  return true
}
