import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Ended, Started } from '../../kernel/commandLine.js'
import { until } from '../../until.js'
import { random } from './rounds.js'
import type { Watched } from './watched.js'

/** Random moments in the length of a command that is carried out many times. */
export interface Moments {
  /**
   * Resolves at a moment that the seed and a text decide: with true when the command still runs. The first time it is the moment
   * when `isBusy` holds, so that few rounds meet a lab too.
   */
  reached(run: Started, text: string, isBusy: () => boolean): Promise<boolean>
  /** Kills the command at such a moment; resolves with how it ended. */
  kill(run: Started, text: string, isBusy: () => boolean): Promise<Ended>
  /** Of how many the command still ran, in words. */
  count(): string
}

/** The length of the command is learned from the rounds: the load of the host changes meanwhile. */
export function moments(): Moments {
  let length = 500
  let isKnown = false
  let [running, all] = [0, 0]
  const reached: Moments['reached'] = async (run, text, isBusy) => {
    const begin = performance.now()
    const isFirst = all++ === 0
    const over = run.ended.then(() => true)
    const isOver = () => Promise.race([over, Promise.resolve(false)])
    const moment = isFirst
      ? until(async () => isBusy() || (await isOver())).then(() => false)
      : delay(random(text) * length, false)
    const ended = await Promise.race([moment, over])
    isKnown ||= ended
    // on a slow host the first guess is much too short
    if (!isFirst) length = ended ? (length + performance.now() - begin) / 2 : length * (isKnown ? 1.05 : 1.5)
    if (!ended) running++
    return !ended
  }
  return {
    reached,
    async kill(run, text, isBusy) {
      await reached(run, text, isBusy)
      run.kill('SIGKILL')
      return run.ended
    },
    count: () => `${running} of ${all} while it ran`,
  }
}

/** Whether tools run in the sandbox of a command: it has more processes than it begins with. */
export function hasSandbox(ground: Watched, begun = 5): boolean {
  return ground.processes().size > begun
}

/** Fails when a process runs on, or a file is left. */
export async function nothingLeft(t: Test, ground: Watched, what: string): Promise<void> {
  const left = await ground.remaining()
  if (left.length > 0) t.fail(`${what}: processes remain`, { left })
  if (ground.files().length > 0) t.fail(`${what}: files remain`, { files: ground.files() })
}
