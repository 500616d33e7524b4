import { setTimeout as delay } from 'node:timers/promises'

/** Longer than anything takes that a test waits for, on a busy host too. */
const deadlineMs = 120_000

/** Polls a condition until it holds; false after two minutes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + deadlineMs
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await delay(5)
  }
  return true
}
