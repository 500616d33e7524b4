import type { IpFamily } from '../net/ipFamily.js'
import { comment } from '../netfilter/rules/build.js'
import type { Rule } from '../netfilter/rules/model.js'
import { renderRule } from '../netfilter/rules/render.js'
import type { Cluster } from '../cluster/types.js'
import { hostPortPods, hostPortRules } from './hostPorts.js'
import type { NodePlace, PodRange, Topology } from './types.js'
import type { Sysctls } from './sysctls.js'

/** The rules that a node's CNI plugins write in one family, as iptables-restore (`--noflush`) reads them. */
export function cniRules(cluster: Cluster, topology: Topology, name: string, family: IpFamily): string {
  const node = topology.nodes.find((one) => one.name === name)
  const range = node?.podRanges.find((candidate) => candidate.family === family)
  if (node === undefined || range === undefined) return ''
  const masquerade = topology.network.masquerade ? podMasquerade(node, range) : ''
  return masquerade + hostPortRules(hostPortPods(cluster, name, family), range.cidr, family)
}

/** hostPorts are also reachable through the node's loopback, so that its packets must be allowed onto the bridge. */
export function hostPortSysctls(cluster: Cluster, node: string): Sysctls {
  return hostPortPods(cluster, node, 'IPv4').length === 0 ? {} : { 'net.ipv4.conf.cni0.route_localnet': 1 }
}

/** Pods leave the cluster masqueraded, and reach each other without NAT. */
function podMasquerade(node: NodePlace, { family, cidr }: PodRange): string {
  const rule: Rule = {
    source: { value: cidr },
    destination: { value: node.clusterPodRange[family], negated: true },
    outInterface: { value: 'cni0', negated: true },
    matches: [comment('pods leave the cluster masqueraded')],
    target: { kind: 'MASQUERADE' },
  }
  return `*nat\n-A POSTROUTING ${renderRule(rule)}\nCOMMIT\n`
}
