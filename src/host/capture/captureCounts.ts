import { setTimeout as delay } from 'node:timers/promises'
import { askAgainMs, patienceMs } from './patience.js'
import type { StderrLines } from './stderrLines.js'

/** Packets that tcpdump has written, that its socket has received, and those of them that the kernel dropped. */
export interface CaptureCounts {
  readonly captured: number
  readonly received: number
  readonly dropped: number
}

/**
 * This many equal answers at the start mean that no more packets are pending. A processor that a busy host takes away in the
 * middle of a packet holds it back, and all after it, for many milliseconds.
 */
const settledAnswers = 1000

export interface CountsOptions {
  readonly pid: number
  readonly said: StderrLines
  /** Throws the error of a tcpdump that has ended. */
  readonly ended: () => Promise<never>
}

/**
 * The counts of a running tcpdump: on SIGUSR1 it prints them (tcpdump(1)), so no fixed delay or marker packet is needed to know
 * that it has written all packets that its socket received.
 */
export function createCounts({ pid, said, ended }: CountsOptions): {
  /** Packets that arrive while libpcap installs the filter are received but never captured: counts those. */
  settle(): Promise<void>
  /** Resolves when all packets received until now are captured; a text says which are lost. */
  complete(): Promise<CaptureCounts | string>
} {
  let neverCaptured = 0
  const ask = async (): Promise<CaptureCounts> => {
    const answer = said.next((line) => countsOf(line) !== undefined, ended)
    try {
      process.kill(pid, 'SIGUSR1')
    } catch {
      // it has ended, and so does the wait for its answer
    }
    return countsOf(await answer) ?? ended()
  }
  const pending = ({ captured, received, dropped }: CaptureCounts) => received - captured - dropped
  return {
    async settle() {
      let last = await ask()
      for (let same = 0; pending(last) > 0 && same < settledAnswers;) {
        await delay(askAgainMs)
        const now = await ask()
        same = now.captured === last.captured && now.received === last.received ? same + 1 : 0
        last = now
      }
      neverCaptured = Math.max(0, pending(last))
    },
    async complete() {
      const deadline = performance.now() + patienceMs
      for (;;) {
        const counts = await ask()
        // packets that were captured late are no longer missing
        neverCaptured = Math.min(neverCaptured, Math.max(0, pending(counts)))
        if (counts.dropped > 0) return `lost ${counts.dropped} packets, for which the kernel had no room`
        if (pending(counts) <= neverCaptured) return counts
        if (performance.now() > deadline)
          return `has captured ${counts.captured} of ${counts.received} packets after ${patienceMs / 1000} s`
        await delay(askAgainMs)
      }
    },
  }
}

function countsOf(line: string): CaptureCounts | undefined {
  const match = /(\d+) packets? captured, (\d+) packets? received by filter, (\d+) packets? dropped/.exec(
    line,
  )
  if (match === null) return undefined
  return { captured: Number(match[1]), received: Number(match[2]), dropped: Number(match[3]) }
}
