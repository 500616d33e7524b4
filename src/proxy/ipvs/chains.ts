import { comment, jump } from '../../netfilter/rules/build.js'
import type { Match } from '../../netfilter/rules/model.js'
import { ipvsChain } from './chainNames.js'
import type { IpvsJump } from './types.js'

/** Chains of each table in the order in which kube-proxy declares them. */
export const ipvsChains = {
  nat: [
    ipvsChain.services,
    ipvsChain.postrouting,
    ipvsChain.nodePort,
    ipvsChain.loadBalancer,
    ipvsChain.markMasq,
  ],
  filter: [
    ipvsChain.forward,
    ipvsChain.nodePort,
    ipvsChain.proxyFirewall,
    ipvsChain.sourceRanges,
    ipvsChain.filter,
    ipvsChain.outFilter,
  ],
} as const

/** The jumps; each is inserted at the top, so that a chain's last one comes first. Mirrors iptablesJumpChain. */
export const ipvsJumps: readonly IpvsJump[] = [
  leads(
    'nat',
    'OUTPUT',
    ipvsChain.services,
    'kubernetes service portals',
    'marks Service traffic to masquerade; IPVS picks the endpoint later',
  ),
  leads(
    'nat',
    'PREROUTING',
    ipvsChain.services,
    'kubernetes service portals',
    'marks Service traffic to masquerade; IPVS picks the endpoint later',
  ),
  leads(
    'nat',
    'POSTROUTING',
    ipvsChain.postrouting,
    'kubernetes postrouting rules',
    'masquerades marked packets, which leave with this node’s address as their source',
  ),
  leads(
    'filter',
    'FORWARD',
    ipvsChain.forward,
    'kubernetes forwarding rules',
    'forwards Service traffic, whatever the policy of FORWARD',
  ),
  leads(
    'filter',
    'INPUT',
    ipvsChain.nodePort,
    'kubernetes health check rules',
    'accepts load balancers’ health checks, whatever the policy of INPUT',
  ),
  leads(
    'filter',
    'INPUT',
    ipvsChain.proxyFirewall,
    'kube-proxy firewall rules',
    'loadBalancerSourceRanges: Service addresses are local in this mode, so their packets pass INPUT',
  ),
  leads(
    'filter',
    'FORWARD',
    ipvsChain.proxyFirewall,
    'kube-proxy firewall rules',
    'loadBalancerSourceRanges, for addresses that are not on this node',
  ),
  leads(
    'filter',
    'INPUT',
    ipvsChain.filter,
    'kubernetes ipvs access filter',
    'Service addresses are local, so the node’s own processes would answer on other ports',
  ),
  leads(
    'filter',
    'OUTPUT',
    ipvsChain.outFilter,
    'kubernetes ipvs access filter',
    'loadBalancerSourceRanges also apply to the node itself',
  ),
]

function leads(table: 'nat' | 'filter', chain: string, to: string, text: string, reason: string): IpvsJump {
  const matches: readonly Match[] = [comment(text)]
  return { table, chain, matches, target: jump(to), reason }
}
