import { setTimeout as delay } from 'node:timers/promises'

/** How often a condition is looked at. */
const lookEveryMs = 3

export interface UntilOptions {
  /** Longest to wait. */
  readonly patienceMs: number
  readonly everyMs?: number
}

/**
 * Polls a condition until it holds; resolves with whether it did in time. The clock only goes forward: a host's date may
 * be set meanwhile.
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
