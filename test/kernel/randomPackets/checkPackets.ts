import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../../../src/lab/up/withRunningLab.js'
import type { IptablesBackend } from '../../../src/netfilter/types.js'
import type { Choice } from '../../../src/trace/model/steps.js'
import { randomLab } from './cluster.js'
import { drawFrom } from './draw.js'
import { checkWorld, packetsAtOnce, type CheckedPacket } from './world.js'

/** What happens to random packets. */
export interface CheckedPackets {
  readonly predicted: number
  readonly observed: number
  /** Packets with more paths than a prediction follows: a path that fits may be among the others. */
  readonly incomplete: number
  /** How often paths ended in which way. */
  readonly ends: Readonly<Record<string, number>>
  readonly shares: readonly Share[]
  readonly failures: readonly string[]
}

/** Random choices of one probability. */
export interface Share {
  readonly probability: number
  readonly draws: number
  readonly taken: number
  /** Distance from the expected share, in standard deviations: over 6.2 by chance once in a billion. */
  readonly deviation: number
}

/** How many times rules are replaced in one cluster. */
const timesInOneWorld = 10

/** Sends at least `count` random packets through random clusters with random rules of other programs; `seed` repeats them. */
export async function checkPackets(
  count: number,
  seed: number,
  {
    iptables,
    progress = () => undefined,
  }: { readonly iptables?: IptablesBackend; readonly progress?: (done: number) => void } = {},
): Promise<CheckedPackets> {
  const ends: Record<string, number> = {}
  const failures: string[] = []
  const choices: Choice[] = []
  let [predicted, observed, incomplete] = [0, 0, 0]
  const check = ({ fitting, complete, text }: CheckedPacket) => {
    predicted++
    const [path, ...others] = fitting
    if (path !== undefined) {
      observed++
      ends[path.end.kind] = (ends[path.end.kind] ?? 0) + 1
      // a choice that leaves no trace may have been another
      if (others.length === 0) choices.push(...path.choices.filter(({ kind }) => kind === 'random'))
    } else if (complete) failures.push(text)
    else incomplete++
  }
  const times = Math.min(timesInOneWorld, Math.ceil(count / packetsAtOnce))
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const draw = drawFrom(generate)
    const folder = mkdtempSync(join(tmpdir(), 'random-packets-'))
    try {
      for (const [name, text] of Object.entries(randomLab(draw))) writeFileSync(join(folder, name), text)
      await withRunningLab(prepareLab(folder), { capture: false, iptables }, (running) =>
        checkWorld(draw, running, times, check),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
    progress(predicted)
  })
  const numRuns = Math.ceil(count / (times * packetsAtOnce))
  await fc.assert(property, { numRuns, seed, endOnFailure: true })
  return { predicted, observed, incomplete, ends, shares: sharesOf(choices), failures }
}

/** A choice and its opposite are one: that a rule does not apply has the rest of its probability. */
function sharesOf(choices: readonly Choice[]): Share[] {
  const groups = new Map<string, { probability: number; draws: number; taken: number }>()
  for (const { taken, probability = 1 } of choices) {
    const isTaken = taken !== 'next rule'
    const own = isTaken ? probability : 1 - probability
    const key = own.toFixed(6)
    const group = groups.get(key) ?? { probability: own, draws: 0, taken: 0 }
    groups.set(key, { ...group, draws: group.draws + 1, taken: group.taken + (isTaken ? 1 : 0) })
  }
  return [...groups.values()].map((group) => {
    const { probability, draws, taken } = group
    const spread = Math.sqrt(draws * probability * (1 - probability))
    return { ...group, deviation: Math.abs(taken - draws * probability) / spread }
  })
}
