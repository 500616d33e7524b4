import * as z from 'zod'
import { didYouMean } from '../../../text/nearestName.js'
import type { CheckContext } from '../../types.js'
import type { Observation } from '../../observation.js'
import { chainCounts, matchingChains, type ChainCount } from './chainCounts.js'
import { stepKind } from '../kind.js'
import { lookAtRules } from '../look.js'
import { references } from '../objects/references.js'

const chain = z
  .string()
  .regex(
    /^[A-Za-z0-9_*./-]+$/,
    'is not a chain: write a name such as KUBE-NODEPORTS, KUBE-SVC-* or filter/KUBE-SERVICES',
  )
const chainList = z.union([chain, z.array(chain).min(1)])

const schema = z
  .strictObject({
    hit: chainList
      .optional()
      .describe(
        'Chains with a rule that matched a packet, on any node without on. * matches any characters; filter/NAME is the chain of one table.',
      ),
    notHit: chainList
      .optional()
      .describe('Chains without a rule that matched a packet, on all nodes without on.'),
    on: references.optional().describe('The nodes whose rules are checked.'),
  })
  .refine(({ hit, notHit }) => hit !== undefined || notHit !== undefined, 'needs hit or notHit')

/** `chains: {hit: [KUBE-NODEPORTS], notHit: [KUBE-FW-*], on: node-a}`: the chains with rules that matched a packet of the step. */
export const chains = stepKind({
  key: 'chains',
  description:
    'Chains whose rules matched packets during the step, by their counters; in mode nftables also sets and maps, by a trace of the packets.',
  needs: { ruleCounts: true },
  schema,
  resolve: ({ hit, notHit, on }, resolver) => ({
    hit: hit === undefined ? [] : [hit].flat(),
    notHit: notHit === undefined ? [] : [notHit].flat(),
    nodes:
      on === undefined
        ? undefined
        : [on].flat().flatMap((name) => resolver.within('on').one(name, ['node'])?.name ?? []),
  }),
  describe: ({ hit, notHit, nodes }) => {
    const words = [
      ...(hit.length === 0 ? [] : [`hit ${hit.join(', ')}`]),
      ...(notHit.length === 0 ? [] : [`not hit ${notHit.join(', ')}`]),
    ].join('; ')
    const where = nodes === undefined ? '' : ` on ${nodes.join(', ')}`
    return { name: `chains${where}: ${words}`, expected: `${words}${where}` }
  },
  evaluate: ({ hit, notHit, nodes }, seen, context) => {
    const wanted = nodes ?? context.topology.nodes.map((node) => node.name)
    const perNode = wanted.flatMap((node) => {
      const counts = seen.ruleCounts.get(node)
      return counts === undefined ? [] : [{ node, chains: chainCounts(counts) }]
    })
    if (perNode.length === 0) return { ok: false, observed: 'no rule counters were read' }
    // If nodes are named, the chain must be hit on each; otherwise on any node.
    const groups =
      nodes === undefined ? [perNode.flatMap(({ chains }) => chains)] : perNode.map(({ chains }) => chains)
    const wrong = groups.flatMap((group) => [
      ...hit.flatMap((pattern) => notAsHit(pattern, group)),
      ...notHit.flatMap((pattern) => notAsSpared(pattern, group)),
    ])
    const missing = wanted
      .filter((node) => !seen.ruleCounts.has(node))
      .map((node) => `no counters of ${node}`)
    const all = [...new Set([...wrong, ...missing])]
    const counted = perNode.map(({ node, chains }) => `${node}: ${hitWords(chains)}`).join('; ')
    return { ok: all.length === 0, observed: all.length === 0 ? counted : `${all.join('; ')} (${counted})` }
  },
  look: ({ hit, notHit, nodes }, seen: Observation, context: CheckContext) => {
    const node = nodes?.[0] ?? context.topology.nodes[0]?.name ?? ''
    const chain = [...hit, ...notHit].find((pattern) => !pattern.includes('*') && !pattern.includes('/'))
    return lookAtRules(seen, context, node, { chain })
  },
})

function notAsHit(pattern: string, chains: readonly ChainCount[]): string[] {
  const matching = matchingChains(pattern, chains)
  if (matching.some(({ packets }) => packets > 0)) return []
  return [matching.length === 0 ? absent(pattern, chains) : `${pattern} was not hit`]
}

function notAsSpared(pattern: string, chains: readonly ChainCount[]): string[] {
  const matching = matchingChains(pattern, chains)
  // A mistyped name would always pass; a pattern may match nothing, such as KUBE-SEP-* without endpoints.
  if (matching.length === 0) return pattern.includes('*') ? [] : [absent(pattern, chains)]
  return matching
    .filter(({ packets }) => packets > 0)
    .map(({ chain, packets }) => `${chain} counted ${packets}`)
}

function absent(pattern: string, chains: readonly ChainCount[]): string {
  const hint = didYouMean(pattern, new Set(chains.map(({ chain }) => chain)))
  return `there is no chain ${pattern}${hint === undefined ? '' : `, ${hint}`}`
}

/** Tables whose names are omitted. */
const bare = ['nat', 'kube-proxy']

function isOfProxy({ table, chain }: ChainCount): boolean {
  return table === 'kube-proxy' || chain.startsWith('KUBE-')
}

/** The number of chains in a message per node; the rest are counted. */
const shown = 12

function hitWords(chains: readonly ChainCount[]): string {
  const hit = chains.filter((one) => one.packets > 0 && isOfProxy(one))
  if (hit.length === 0)
    return chains.some(({ table }) => table === 'kube-proxy') ? 'no chain was hit' : 'no KUBE- chain was hit'
  const words = hit
    .slice(0, shown)
    .map(({ table, chain, packets }) => `${bare.includes(table) ? '' : `${table}/`}${chain} ${packets}`)
  return words.join(', ') + (hit.length > shown ? `, and ${hit.length - shown} more` : '')
}
