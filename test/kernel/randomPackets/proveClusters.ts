import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { ModeName } from '../../../src/agents/kubeProxy/config.js'
import { compareReach } from '../../../src/diagnose/reach/compare.js'
import { withOtherProxy } from '../../../src/diagnose/reach/otherProxy.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { proveComparison, type ProvenPair } from '../../../src/lab/reach/proveReach.js'
import { withProxy } from '../../../src/lab/reach/proofLab.js'
import { proofDocument } from '../../../src/lab/reach/proofText.js'
import { randomLab } from './cluster.js'
import { drawFrom } from './draw.js'

/** What packets say about comparisons of random clusters. */
export interface ProvenClusters {
  /** Differences whose packets were sent on both sides. */
  readonly differences: number
  /** Requests predicted to end alike, sent on both sides. */
  readonly equal: number
  /** Requests that were not sent, by the reason. */
  readonly unsent: ReadonlyMap<string, number>
  /** The codes of the differences, and how often. */
  readonly codes: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

/** Compares random clusters in mode iptables with another mode, and sends packets of every difference and of `cells` others. */
export async function proveClusters(
  clusters: number,
  seed: number,
  {
    mode = 'nftables',
    cells = 20,
    progress = () => undefined,
  }: { readonly mode?: ModeName; readonly cells?: number; readonly progress?: (equal: number) => void } = {},
): Promise<ProvenClusters> {
  let [differences, equal] = [0, 0]
  const unsent = new Map<string, number>()
  const codes = new Map<string, number>()
  const failures: string[] = []
  const count = (all: Map<string, number>, key: string) => all.set(key, (all.get(key) ?? 0) + 1)
  /** Whether both packets of a pair were sent. */
  const check = (pair: ProvenPair): boolean => {
    const sides = [pair.before, pair.after].filter((side) => side !== undefined)
    if (sides.some(({ agrees }) => agrees === false)) failures.push(JSON.stringify(proofDocument([pair])))
    const open = sides.find(({ agrees }) => agrees === undefined)
    if (open !== undefined) count(unsent, open.observed)
    return open === undefined
  }
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const folder = mkdtempSync(join(tmpdir(), 'random-reach-'))
    try {
      const files = Object.entries(randomLab(drawFrom(generate)))
      for (const [name, text] of files) writeFileSync(join(folder, name), text)
      const snapshot = planSnapshot(folder)
      const scope = { sameCluster: true, sample: cells }
      const compared = compareReach(snapshot, withOtherProxy(snapshot, { mode }), scope)
      for (const { known, says } of compared.groups) count(codes, known?.code ?? says)
      const prepared = prepareLab(folder)
      const proof = await proveComparison(compared, [prepared, withProxy(prepared, { mode })])
      differences += proof.groups.filter(check).length
      equal += proof.sample.filter(check).length
    } finally {
      rmSync(folder, { recursive: true })
    }
    progress(equal)
  })
  await fc.assert(property, { numRuns: clusters, seed, endOnFailure: true })
  return { differences, equal, unsent, codes, failures }
}
