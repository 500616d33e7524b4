import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 20
/** The kernel takes namespaces down in batches: so long without one at work, and none is waiting. */
const quietMs = 100
const patienceMs = 60_000

/**
 * Resolves when the kernel has taken down the network namespaces of what ran before. It does that in the background
 * (its workqueue "netns"), under the lock that every `ip link add` waits for.
 */
export async function settled(): Promise<void> {
  const deadline = performance.now() + patienceMs
  let quietSince = performance.now()
  while (performance.now() - quietSince < quietMs && performance.now() < deadline) {
    await delay(lookEveryMs)
    if (workersAtWork()) quietSince = performance.now()
  }
}

/** A kernel worker's name says what it works at: `kworker/u8:3+netns`, with a minus sign once it has done that. */
function workersAtWork(): boolean {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => nameOf(pid).endsWith('+netns'))
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
