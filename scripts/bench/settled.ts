import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 20
/** The kernel removes namespaces in batches: after this time without an active worker, none is waiting. */
const quietMs = 100
const patienceMs = 60_000

/**
 * Resolves when the kernel has removed the network namespaces of earlier runs. It does that in the background (workqueue
 * "netns"), under the lock that every `ip link add` waits for.
 */
export async function settled(): Promise<void> {
  const deadline = performance.now() + patienceMs
  let quietSince = performance.now()
  while (performance.now() - quietSince < quietMs && performance.now() < deadline) {
    await delay(lookEveryMs)
    if (workersAtWork()) quietSince = performance.now()
  }
}

/** The name of a kernel worker has its current work, `kworker/u8:3+netns`, or with a minus sign the last one. */
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
