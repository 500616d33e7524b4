import fc from 'fast-check'
import t from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { EndpointSlice } from '../../src/cluster/types.js'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { manualClock } from '../apiserver/manualClock.js'
import { service, slice } from '../agents/kubeProxy/objects.js'
import { cannotRun } from './ability.js'
import { arbitraryHistory } from './arbitraryHistory.js'
import { kernelNode, type KernelNode } from './proxierNode.js'
import { runs } from '../suite.js'

/** What stands after each step, and what a full sync would have left. */
async function follow(node: KernelNode, family: IpFamily, states: readonly ProxyInput[]): Promise<void> {
  const clock = manualClock('2026-01-01T00:00:00Z')
  const [first] = states
  if (first === undefined) return
  const proxier = createProxier({ node: 'node-a', family, tables: node.tables, input: first, clock })
  for (const [step, state] of states.entries()) {
    const report = await proxier.sync(state)
    if (!report.ok) throw new Error(`step ${step}: ${report.error}`)
    const [saved, expected] = [await node.saved(), await node.expected(state)]
    if (saved.join('\n') !== expected.join('\n')) {
      const extra = saved.filter((line) => !expected.includes(line))
      const missing = expected.filter((line) => !saved.includes(line))
      throw new Error(
        `step ${step} (${report.kind})\nextra\n${extra.join('\n')}\nlacking\n${missing.join('\n')}`,
      )
    }
    // far enough for a large cluster to clear away what is stale, not so far that every chain is written
    clock.advance(31_000)
  }
  proxier.stop()
}

/** Over a thousand endpoints that are known and never used: kube-proxy then counts the cluster as large. */
function amongMany(state: ProxyInput, family: IpFamily): ProxyInput {
  const prefix = family === 'IPv4' ? '10.181.' : 'fd00:181::'
  const host = (index: number) => (family === 'IPv4' ? `${index >> 8}.${index & 255}` : index.toString(16))
  const endpoints = Array.from({ length: 1001 }, (_, index) => ({
    addresses: [prefix + host(index)],
    conditions: { ready: false, serving: false, terminating: false },
  }))
  const crowd: EndpointSlice = slice('crowd', endpoints, [['http', 80]], { family })
  const clusterIP = family === 'IPv4' ? '172.30.9.9' : 'fd00:172:30::999'
  return {
    ...state,
    services: [...state.services, service('crowd', { clusterIP })],
    endpointSlices: [...state.endpointSlices, crowd],
  }
}

for (const backend of ['nft', 'legacy'] as const) {
  for (const family of ['IPv4', 'IPv6'] as const) {
    const name = `${family}, ${backend}`
    t.test(
      `${name}: whatever changes, the rules are what a full sync would write`,
      { skip: cannotRun },
      async (t) => {
        const node = await kernelNode(t, family, backend)
        await fc.assert(
          fc.asyncProperty(arbitraryHistory(family), (states) => follow(node, family, states)),
          { numRuns: runs(12, 3), endOnFailure: true },
        )
        t.pass('every history')
      },
    )

    t.test(
      `${name}: in a large cluster, too, where shared chains are left alone`,
      { skip: cannotRun },
      async (t) => {
        const node = await kernelNode(t, family, backend)
        await fc.assert(
          fc.asyncProperty(arbitraryHistory(family), (states) =>
            follow(
              node,
              family,
              states.map((state) => amongMany(state, family)),
            ),
          ),
          { numRuns: runs(6, 2), endOnFailure: true },
        )
        t.pass('every history')
      },
    )
  }
}
