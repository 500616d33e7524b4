import { describeAction } from '../steps/actionText.js'
import type { CheckContext } from '../types.js'
import type { Observation } from '../observation.js'

/** The place for `vethlab exec`, and the command to run there. */
export interface Look {
  readonly where: string
  readonly command: string
}

/** The step's action, to try by hand; on a node if no place of the lab runs it. */
export function lookAtAction({ step, topology }: CheckContext): Look {
  return { where: step.from ?? topology.nodes[0]?.name ?? '', command: describeAction(step.action) }
}

/** Lists a node's rules, or one chain, in the mode of its kube-proxy; for IPv6 if the flows are IPv6. */
export function lookAtRules(
  seen: Observation,
  { mode }: CheckContext,
  node: string,
  {
    rewrite = 'DNAT',
    chain,
  }: { readonly rewrite?: 'DNAT' | 'SNAT'; readonly chain?: string | undefined } = {},
): Look {
  const family = seen.flows[0]?.destination.address.includes(':') ? 'IPv6' : 'IPv4'
  return { where: node, command: mode.listNat(family, rewrite, chain) }
}

/** Shows the packets at a place, while the step is repeated. */
export function lookAtPackets(where: string): Look {
  return { where, command: 'tcpdump -ni any' }
}

/** The conntrack table of a node. */
export function lookAtConntrack(node: string): Look {
  return { where: node, command: 'conntrack -L' }
}

/** The first node of a step's requests, for an expectation that names no node. */
export function firstNode(seen: Observation, context: CheckContext): string {
  const nodes = context.topology.nodes.map((node) => node.name)
  for (const flow of seen.flows) {
    const hop = flow.hops.find(({ netns }) => nodes.includes(netns))
    if (hop) return hop.netns
  }
  return nodes[0] ?? context.step.from ?? ''
}
