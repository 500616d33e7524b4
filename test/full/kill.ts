import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Ended, Started } from '../kernel/commandLine.js'
import { atOnce, random } from './rounds.js'
import { watched, type Watched } from './watched.js'

/** How long commands take when as many run at once as in the rounds. */
export async function lengths(t: Test, commands: readonly (readonly string[])[]): Promise<number[]> {
  const grounds = Array.from({ length: atOnce }, () => watched(t))
  const took: number[] = []
  for (const args of commands) {
    const begin = performance.now()
    const ends = await Promise.all(grounds.map((ground) => ground.run(args)))
    took.push(performance.now() - begin)
    for (const { code, stderr } of ends) t.equal(code, 0, `${args.slice(0, 2).join(' ')} ${stderr}`)
  }
  return took
}

/** When to kill in a round: the rounds cover the whole length, each at a random moment of its share. */
export function momentOf(round: number, count: number, length: number): number {
  return ((round + random(`moment ${round}`)) / count) * length * 1.1
}

/** Kills a command at the moment of a round, of so many rounds that cover a length; resolves with how it ended. */
export async function killAt(run: Started, round: number, count: number, length: number): Promise<Ended> {
  await Promise.race([delay(momentOf(round, count, length)), run.ended])
  run.kill('SIGKILL')
  return run.ended
}

/** Fails when a process runs on, or a file is left. */
export async function nothingLeft(t: Test, ground: Watched, what: string): Promise<void> {
  const left = await ground.remaining()
  if (left.length > 0) t.fail(`${what}: processes remain`, { left })
  if (ground.files().length > 0) t.fail(`${what}: files remain`, { files: ground.files() })
}
