import { userspaceChain } from '../../userspace/chains.js'
import { ipvsChain } from '../../ipvs/chainNames.js'
import { baseChain } from '../chainNames.js'

const abouts: Readonly<Record<string, string>> = {
  'nat PREROUTING': 'incoming packets, before routing',
  'nat OUTPUT': 'packets from the node itself',
  'nat POSTROUTING': 'outgoing packets, after routing',
  'filter INPUT': 'packets to the node itself',
  'filter FORWARD': 'forwarded packets',
  'filter OUTPUT': 'packets from the node itself',
  [`nat ${baseChain.services}`]: 'by destination address',
  [`nat ${baseChain.nodePorts}`]: 'by node port',
  [`nat ${baseChain.markMasq}`]: 'marks packets for masquerading',
  [`nat ${baseChain.postrouting}`]: 'masquerades marked packets',
  [`filter ${baseChain.services}`]: 'cluster IPs without endpoints',
  [`filter ${baseChain.externalServices}`]: 'external addresses without endpoints',
  [`filter ${baseChain.nodePorts}`]: 'health check ports',
  [`filter ${baseChain.forward}`]: 'packets forwarded whatever the policy',
  [`filter ${baseChain.proxyFirewall}`]: 'traffic that loadBalancerSourceRanges does not allow',
  [`nat ${userspaceChain.portalsContainer}`]: 'by destination address, from pods and other hosts',
  [`nat ${userspaceChain.portalsHost}`]: 'by destination address, from the node itself',
  [`nat ${userspaceChain.nodePortContainer}`]: 'by node port, from pods and other hosts',
  [`nat ${userspaceChain.nodePortHost}`]: 'by node port, from the node itself',
  [`filter ${userspaceChain.nodePortNonLocal}`]: 'accepts clients of node ports',
  [`nat ${ipvsChain.loadBalancer}`]: 'load balancers’ addresses: masqueraded or not',
  [`nat ${ipvsChain.nodePort}`]: 'node ports: masqueraded or not',
  [`filter ${ipvsChain.filter}`]: 'rejects traffic to a Service address on any other port',
  [`filter ${ipvsChain.outFilter}`]: 'the node’s own packets that loadBalancerSourceRanges does not allow',
  [`filter ${ipvsChain.sourceRanges}`]: 'which clients may use a load balancer’s address',
  [`filter ${ipvsChain.nodePort}`]: 'health check ports',
  [`filter ${baseChain.kubeletFirewall}`]: 'blocks other hosts from this node’s loopback',
}

const prefixes: readonly (readonly [string, string])[] = [
  ['KUBE-FW-', 'which clients may use the load balancer’s address'],
  ['KUBE-EXT-', 'traffic from outside'],
  ['KUBE-SVC-', 'chooses among all endpoints'],
  ['KUBE-SVL-', 'chooses among endpoints on this node'],
  ['KUBE-SEP-', 'one endpoint'],
]

/** Short description of a kube-proxy chain; empty for others. */
export function chainAbout(table: string, chain: string): string {
  const byName = abouts[`${table} ${chain}`]
  return byName ?? prefixes.find(([prefix]) => chain.startsWith(prefix))?.[1] ?? ''
}

const order: readonly string[] = [
  'nat PREROUTING',
  'nat OUTPUT',
  `nat ${userspaceChain.portalsContainer}`,
  `nat ${userspaceChain.portalsHost}`,
  `nat ${userspaceChain.nodePortContainer}`,
  `nat ${userspaceChain.nodePortHost}`,
  `nat ${baseChain.services}`,
  `nat ${baseChain.nodePorts}`,
  `nat ${ipvsChain.loadBalancer}`,
  `nat ${ipvsChain.nodePort}`,
  'nat KUBE-FW-',
  'nat KUBE-EXT-',
  'nat KUBE-SVC-',
  'nat KUBE-SVL-',
  'nat KUBE-SEP-',
  `nat ${baseChain.markMasq}`,
  'filter INPUT',
  'filter FORWARD',
  'filter OUTPUT',
  `filter ${ipvsChain.outFilter}`,
  `filter ${ipvsChain.filter}`,
  `filter ${userspaceChain.nodePortNonLocal}`,
  `filter ${baseChain.kubeletFirewall}`,
  `filter ${baseChain.proxyFirewall}`,
  `filter ${ipvsChain.sourceRanges}`,
  `filter ${ipvsChain.nodePort}`,
  `filter ${baseChain.nodePorts}`,
  `filter ${baseChain.forward}`,
  `filter ${baseChain.services}`,
  `filter ${baseChain.externalServices}`,
  'nat POSTROUTING',
  `nat ${baseChain.postrouting}`,
]
const rankOf = new Map(order.map((name, rank) => [name, rank]))

/** Position of a chain on a packet's path; unknown chains come last. */
export function chainRank(table: string, chain: string): number {
  const prefix = /^KUBE-(?:FW|EXT|SVC|SVL|SEP)-/.exec(chain)?.[0]
  return rankOf.get(`${table} ${prefix ?? chain}`) ?? order.length
}

/** True for the chains that a packet passes before the rules of a Service, or on the way to them. */
export function comesFirst(table: string, chain: string): boolean {
  return chainRank(table, chain) <= chainRank('nat', baseChain.markMasq)
}
