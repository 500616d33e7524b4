import type { Language } from '../../../../text/language.js'
import { chainTexts, type ChainText } from '../../chainTexts.js'
import { userspaceChain } from '../../userspace/chains.js'
import { ipvsChain } from '../../ipvs/chainNames.js'
import { baseChain } from '../chainNames.js'

const abouts: Readonly<Record<string, ChainText>> = {
  'raw PREROUTING': 'incoming',
  'raw OUTPUT': 'fromNode',
  'mangle PREROUTING': 'incoming',
  'mangle OUTPUT': 'fromNode',
  'mangle INPUT': 'toNode',
  'mangle FORWARD': 'forwarded',
  'mangle POSTROUTING': 'outgoing',
  'nat INPUT': 'toNode',
  'nat PREROUTING': 'incoming',
  'nat OUTPUT': 'fromNode',
  'nat POSTROUTING': 'outgoing',
  'filter INPUT': 'toNode',
  'filter FORWARD': 'forwarded',
  'filter OUTPUT': 'fromNode',
  [`nat ${baseChain.services}`]: 'byAddress',
  [`nat ${baseChain.nodePorts}`]: 'byNodePort',
  [`nat ${baseChain.markMasq}`]: 'marks',
  [`nat ${baseChain.postrouting}`]: 'masquerades',
  [`filter ${baseChain.services}`]: 'clusterIPsWithoutEndpoints',
  [`filter ${baseChain.externalServices}`]: 'externalWithoutEndpoints',
  [`filter ${baseChain.nodePorts}`]: 'healthCheckPorts',
  [`filter ${baseChain.forward}`]: 'forwardedAlways',
  [`filter ${baseChain.proxyFirewall}`]: 'outsideSourceRanges',
  [`nat ${userspaceChain.portalsContainer}`]: 'byAddressFromOthers',
  [`nat ${userspaceChain.portalsHost}`]: 'byAddressFromNode',
  [`nat ${userspaceChain.nodePortContainer}`]: 'byNodePortFromOthers',
  [`nat ${userspaceChain.nodePortHost}`]: 'byNodePortFromNode',
  [`filter ${userspaceChain.nodePortNonLocal}`]: 'acceptsNodePorts',
  [`nat ${ipvsChain.loadBalancer}`]: 'loadBalancersMasqueraded',
  [`nat ${ipvsChain.nodePort}`]: 'nodePortsMasqueraded',
  [`filter ${ipvsChain.filter}`]: 'rejectsOtherPorts',
  [`filter ${ipvsChain.outFilter}`]: 'nodeOutsideSourceRanges',
  [`filter ${ipvsChain.sourceRanges}`]: 'sourceRanges',
  [`filter ${ipvsChain.nodePort}`]: 'healthCheckPorts',
  [`filter ${baseChain.kubeletFirewall}`]: 'loopback',
}

const prefixes: readonly (readonly [string, ChainText])[] = [
  ['KUBE-FW-', 'firewall'],
  ['KUBE-EXT-', 'external'],
  ['KUBE-SVC-', 'cluster'],
  ['KUBE-SVL-', 'local'],
  ['KUBE-SEP-', 'endpoint'],
]

/** Short description of a kube-proxy chain; empty for others. */
export function chainAbout(table: string, chain: string, language: Language): string {
  const key = abouts[`${table} ${chain}`] ?? prefixes.find(([prefix]) => chain.startsWith(prefix))?.[1]
  return key === undefined ? '' : chainTexts[language][key]
}

const order: readonly string[] = [
  'raw PREROUTING',
  'mangle PREROUTING',
  'nat PREROUTING',
  'raw OUTPUT',
  'mangle OUTPUT',
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
  'mangle INPUT',
  'filter INPUT',
  'nat INPUT',
  'mangle FORWARD',
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
  'mangle POSTROUTING',
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
