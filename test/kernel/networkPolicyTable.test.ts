import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { nftablesMode } from '../../src/agents/kubeProxy/nftables/mode.js'
import { compiledOnce } from '../../src/agents/networkPolicy/compiledOnce.js'
import { nftMeanings, policyTable, policyTransaction } from '../../src/agents/networkPolicy/nftTable.js'
import { policyWriter, type NodeTables } from '../../src/agents/networkPolicy/state.js'
import type { Cluster } from '../../src/cluster/types.js'
import { nftWriter } from '../../src/lab/live/policyWriters.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { allElements } from '../../src/netfilter/nft/elements.js'
import { parseNftLists } from '../../src/netfilter/nftList.js'
import { nftWithMeaning } from '../../src/snapshot/meaning.js'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import { loadNft } from '../../src/snapshot/rules/loadNft.js'
import { agentNode } from '../../src/topology/agentNode.js'
import { modelCluster } from '../cluster/policies/model.js'
import { changedCluster, randomChange } from '../cluster/policies/randomChanges.js'
import { randomPolicies } from '../cluster/policies/randomPolicies.js'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { kernelNode, type KernelNode } from './proxierNode.js'

const families = ['IPv4', 'IPv6'] as const
const { topology } = prepareLab('labs/nodeport', { mode: 'nftables' })
const [first] = topology.nodes
if (first === undefined) throw new Error('no node')
const node = agentNode(topology, first, nftablesMode)

/** Chains with their rules, and sets with their elements, in an order of their own. */
async function listed({ sandbox }: KernelNode, netns: string): Promise<string> {
  return (await sandbox.must('listing', ['nft', '-s', 'list', 'ruleset'], { netns })).stdout
}

function inOrder(text: string): string[] {
  return parseNftLists(text)
    .flatMap(({ table, blocks }) =>
      blocks.map(
        ({ name, lines, elements }) => `${table} ${name}: ${[...lines, ...elements.toSorted()].join('\n')}`,
      ),
    )
    .sort()
}

/** Rules and elements of the kernel of which the agent does not know why they are there. */
function unexplained(text: string, tables: NodeTables, family: IpFamily): string[] {
  const planned = loadNft(policyTransaction(undefined, tables, family).text, nftMeanings(tables, family))
  const { tables: read } = nftWithMeaning(listedNft(text), planned)
  return read.flatMap(({ chains, sets }) => [
    ...[...chains.values()].flatMap(({ rules }) =>
      rules.filter(({ why }) => why === undefined).map(({ spec }) => spec),
    ),
    ...[...sets].flatMap(([name, { elements, meanings }]) =>
      [...allElements(elements)].filter((one) => !meanings.has(one.text)).map((one) => `${name} ${one.text}`),
    ),
  ])
}

for (const family of families)
  t.test(
    `a table of ${family} that follows changes is the one that a new agent writes`,
    { skip: cannotRun || cannotLoadNft() },
    async (t) => {
      const kernel = await kernelNode(t, family)
      const { sandbox, iptables, netns } = kernel
      await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'fresh'])
      const history = fc.array(randomChange, { minLength: 1, maxLength: 3 })
      let rules = 0
      await fc.assert(
        fc.asyncProperty(randomPolicies, history, async (policies, changes) => {
          const [compiled, write] = [compiledOnce(), policyWriter()]
          const inKernel = nftWriter()
          const place = { sandbox, iptables, node: { ...first, netns }, family }
          let cluster: Cluster = modelCluster(policies, families)
          let before: NodeTables | undefined
          for (const change of [undefined, ...changes]) {
            if (change !== undefined) cluster = changedCluster(cluster, change, families)
            const after = write(compiled(cluster, family), node, family)
            await inKernel(place, before, after)
            before = after
            const text = await listed(kernel, netns)
            t.same(inOrder(text), inOrder(await fresh(t, kernel, cluster, family)))
            if (after !== undefined) t.same(unexplained(text, after, family), [])
            rules += text.split('\n').length
          }
          await inKernel(place, before, undefined)
          t.equal(await listed(kernel, netns), '', 'nothing is left')
        }),
        { numRuns: runs(40, 4) },
      )
      t.ok(rules > 0, 'there were rules')
    },
  )

/** What nft lists after a new agent has written its first transaction. */
async function fresh(t: Test, kernel: KernelNode, cluster: Cluster, family: IpFamily): Promise<string> {
  const tables = policyWriter()(compiledOnce()(cluster, family), node, family)
  const { text } = policyTransaction(undefined, tables, family)
  const options = { netns: 'fresh', input: text }
  t.notMatch(text, /^(flush|delete)/m, 'a first transaction only adds')
  await kernel.sandbox.must('loading', ['nft', '-f', '-'], options)
  const listing = await listed(kernel, 'fresh')
  if (text !== '')
    await kernel.sandbox.must(
      'removing it',
      ['nft', 'delete', 'table', ...policyTable(family).split(' ')],
      options,
    )
  return listing
}
