import { createHash, randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Test } from 'tap'
import { watched, type Watched } from './watched.js'

/** What decides every random choice of a run of the tests; `VETHLAB_SEED` repeats one. */
export const seed = Number(process.env['VETHLAB_SEED'] ?? randomInt(1_000_000))

/** Rounds that run at the same time. */
export const atOnce = 1 + availableParallelism()

/** A number from 0 up to 1 that the seed and a text decide. */
export function random(text: string): number {
  return createHash('sha256').update(`${seed} ${text}`).digest().readUInt32BE() / 2 ** 32
}

/** One of a list. */
export function pick<Item>(items: readonly [Item, ...Item[]], text: string): Item {
  return items[Math.floor(random(text) * items.length)] ?? items[0]
}

/** Carries out rounds, several at once, each on a ground that no other uses meanwhile. */
export async function rounds<Ground extends Watched>(
  t: Test,
  count: number,
  prepare: (ground: Watched) => Ground | Promise<Ground>,
  carryOut: (ground: Ground, round: number) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      const ground = await prepare(watched(t))
      while (next < count) await carryOut(ground, next++)
    }),
  )
}

/** The middle and the largest of some durations, in words. */
export function spread(durations: readonly number[]): string {
  const sorted = durations.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `median ${Math.round(middle)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`
}
