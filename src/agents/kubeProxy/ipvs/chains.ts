import { comment, jump } from '../../../netfilter/rules/build.js'
import type { Match } from '../../../netfilter/rules/model.js'
import { ipvsChain } from './chainNames.js'
import type { IpvsReason } from './texts.js'
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
  leads('nat', 'OUTPUT', ipvsChain.services, 'kubernetes service portals', 'markServices'),
  leads('nat', 'PREROUTING', ipvsChain.services, 'kubernetes service portals', 'markServices'),
  leads('nat', 'POSTROUTING', ipvsChain.postrouting, 'kubernetes postrouting rules', 'masqueradeMarked'),
  leads('filter', 'FORWARD', ipvsChain.forward, 'kubernetes forwarding rules', 'forward'),
  leads('filter', 'INPUT', ipvsChain.nodePort, 'kubernetes health check rules', 'healthChecks'),
  leads('filter', 'INPUT', ipvsChain.proxyFirewall, 'kube-proxy firewall rules', 'firewallInput'),
  leads('filter', 'FORWARD', ipvsChain.proxyFirewall, 'kube-proxy firewall rules', 'firewallForward'),
  leads('filter', 'INPUT', ipvsChain.filter, 'kubernetes ipvs access filter', 'filterInput'),
  leads('filter', 'OUTPUT', ipvsChain.outFilter, 'kubernetes ipvs access filter', 'filterOutput'),
]

function leads(
  table: 'nat' | 'filter',
  chain: string,
  to: string,
  text: string,
  reason: IpvsReason,
): IpvsJump {
  const matches: readonly Match[] = [comment(text)]
  return { table, chain, matches, target: jump(to), reason }
}
