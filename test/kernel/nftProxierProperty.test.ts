import fc from 'fast-check'
import t from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { manualClock } from '../apiserver/manualClock.js'
import { arbitraryHistory } from './arbitraryHistory.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { inNftMode, nftKernelNode, type NftKernelNode } from './nftNode.js'
import { runs } from '../suite.js'

/** What stands after each step, and what a full sync would have left in an empty namespace. */
async function follow(node: NftKernelNode, family: IpFamily, states: readonly ProxyInput[]): Promise<void> {
  const clock = manualClock('2026-01-01T00:00:00Z')
  const [first] = states
  if (first === undefined) return
  const proxier = createProxier({ node: 'node-a', family, tables: node.tables, input: first, clock })
  // a new kube-proxy does not know what the one before it emptied, and empties it again
  let emptied: readonly string[] = []
  for (const [step, state] of states.entries()) {
    const report = await proxier.sync(state)
    if (!report.ok) throw new Error(`step ${step}: ${report.error}`)
    const [existing, expected] = [await node.existing(), await node.expected(state)]
    if (existing.lines.join('\n') !== expected.join('\n')) {
      const extra = existing.lines.filter((line) => !expected.includes(line))
      const missing = expected.filter((line) => !existing.lines.includes(line))
      throw new Error(
        `step ${step} (${report.kind})\nextra\n${extra.join('\n')}\nlacking\n${missing.join('\n')}`,
      )
    }
    const left = existing.emptied.filter((name) => emptied.includes(name))
    if (report.kind !== 'none' && left.length > 0) throw new Error(`step ${step}: left empty: ${left.join()}`)
    emptied = existing.emptied
    // far enough for emptied chains to go, not so far that every chain is written
    clock.advance(2000)
  }
  proxier.stop()
}

for (const family of ['IPv4', 'IPv6'] as const) {
  const skip = cannotRun || cannotLoadNft()
  t.test(`${family}: whatever changes, the table is what a full sync would write`, { skip }, async (t) => {
    const node = await nftKernelNode(t, family)
    await fc.assert(
      fc.asyncProperty(arbitraryHistory(family), (states) => follow(node, family, states.map(inNftMode))),
      { numRuns: runs(12, 3), endOnFailure: true },
    )
    t.pass('every history')
  })
}
