import { describeAction } from '../steps/actionText.js'
import type { CheckContext, Observation } from '../types.js'

/** Where to look, as `vethlab exec` takes it, and the command to run there. */
export interface Look {
  readonly where: string
  readonly command: string
}

/** The step's own action, to be tried by hand; what nobody in the lab carries out, on a node. */
export function lookAtAction({ step, topology }: CheckContext): Look {
  return { where: step.from ?? topology.nodes[0]?.name ?? '', command: describeAction(step.action) }
}

/** What a node rewrites packets by, or one chain of it, as the mode of its kube-proxy lists it; for IPv6 when the flows are. */
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

/** The packets as they pass a place; the step is to be repeated meanwhile. */
export function lookAtPackets(where: string): Look {
  return { where, command: 'tcpdump -ni any' }
}

/** The conntrack table of a node. */
export function lookAtConntrack(node: string): Look {
  return { where: node, command: 'conntrack -L' }
}

/** The node that a step's requests came to first, for a claim that names none. */
export function firstNode(seen: Observation, context: CheckContext): string {
  const nodes = context.topology.nodes.map((node) => node.name)
  for (const flow of seen.flows) {
    const hop = flow.hops.find(({ netns }) => nodes.includes(netns))
    if (hop) return hop.netns
  }
  return nodes[0] ?? context.step.from ?? ''
}
