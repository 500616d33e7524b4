import type { ServicePort } from '../servicePort.js'
import { baseChain } from './chainNames.js'
import type { Reason } from './reason.js'
import { matchOf } from '../../netfilter/rules/model.js'
import type { Rule } from './rule.js'

/**
 * Explains a rule in a short sentence: its purpose, and the field of the object that requires it.
 */
export function explainRule(rule: Rule): string {
  const text = sentences[rule.reason]
  return typeof text === 'string' ? text : text(rule, rule.port)
}

type Sentence = string | ((rule: Rule, port: ServicePort | undefined) => string)

const sentences: Readonly<Record<Reason, Sentence>> = {
  jump: (rule) => {
    const chain = rule.target?.kind === 'jump' ? rule.target.chain : ''
    const filtered = chain === baseChain.services && matchOf(rule, 'conntrack') !== undefined
    return (
      (filtered ? undefined : jumps[chain]) ??
      'cluster IPs that are not DNATed at this point have no endpoint'
    )
  },
  markForMasquerade: 'marks the packet; KUBE-POSTROUTING masquerades marked packets',
  postroutingUnmarked: 'not marked: not masqueraded',
  postroutingUnmark: 'clears the mark, so that the packet is not masqueraded twice',
  postroutingMasquerade: 'rewrites the source to this node’s address, so that replies return here',
  forwardInvalid: 'invalid for conntrack: if forwarded, it could reset a DNATed connection',
  forwardMarked: 'marked Service traffic is forwarded, whatever the policy of FORWARD',
  forwardEstablished: 'so are later packets of the connection, in both directions',
  localnetFirewall:
    'route_localnet is on for iptables.localhostNodePorts; other hosts must not reach 127.0.0.0/8',
  nodePorts: (rule) =>
    matchOf(rule, 'addrtype')
      ? 'not a Service address: possibly a node port, on any address of this node'
      : 'not a Service address: possibly a node port, on an address in nodePortAddresses',
  clusterIP: (_, port) =>
    port?.internalPolicyLocal === true
      ? 'spec.clusterIP; internalTrafficPolicy Local keeps it on this node'
      : 'spec.clusterIP: sent to one of the endpoints',
  externalIP: 'spec.externalIPs: traffic to this address belongs to the Service',
  loadBalancerIP: (_, port) =>
    (port?.sourceRanges.length ?? 0) > 0
      ? 'status.loadBalancer.ingress; loadBalancerSourceRanges decides which clients may connect'
      : 'status.loadBalancer.ingress: traffic to this address belongs to the Service',
  nodePort: 'spec.ports[].nodePort: on the node’s own addresses',
  nodePortLocalhost: 'spec.ports[].nodePort through localhost, counted separately for a kube-proxy metric',
  healthCheckNodePort:
    'spec.healthCheckNodePort: the load balancer checks here whether this node has endpoints',
  noEndpoints: 'no usable endpoint: rejected immediately instead of timing out',
  noLocalEndpoints: (rule, port) =>
    `only other nodes have endpoints, and ${policyOf(rule, port)} does not allow them: dropped`,
  outsideSourceRanges: 'not in loadBalancerSourceRanges (otherwise already DNATed): dropped',
  masqueradeClusterIP: (rule) =>
    rule.source || rule.inInterface
      ? 'not from a pod: masqueraded, so that replies return through this node'
      : 'masqueradeAll: all traffic to the cluster IP is masqueraded',
  masqueradeExternal:
    'externalTrafficPolicy Cluster: the endpoint may be on another node, and replies must return through this node',
  externalToCluster: 'then to any endpoint in the cluster',
  podToExternal: 'from a pod: treated as traffic inside the cluster, to any endpoint',
  masqueradeNodeToExternal: 'from the node itself: masqueraded, because the endpoint may be on another node',
  nodeToExternal: 'from the node itself: to any endpoint',
  externalToLocal:
    'externalTrafficPolicy Local: external traffic only to endpoints on this node, source IP preserved',
  sourceRange: 'spec.loadBalancerSourceRanges: this range may connect',
  sourceRangeNode:
    'the node is in an allowed range; if the address is bound on the node, its packets have it as source',
  sourceRangeRest: 'all others reach KUBE-PROXY-FIREWALL and are dropped (this rule only has the comment)',
  affinity: (_, port) =>
    `sessionAffinity ClientIP: clients of the last ${port?.affinitySeconds ?? 0} s are sent to the same endpoint`,
  loadBalancing: (rule) => {
    const chance = matchOf(rule, 'statistic')?.probability?.value
    return chance
      ? `a random choice of ${Math.round(1 / chance)} remaining endpoints`
      : 'the last endpoint gets all remaining connections'
  },
  hairpin:
    'a pod that connects to itself through its Service: masqueraded, otherwise its replies would bypass the NAT',
  endpoint: (_, port) =>
    (port?.affinitySeconds ?? 0) > 0
      ? 'records the client (sessionAffinity) and DNATs to the endpoint'
      : 'DNAT to the endpoint’s address and target port',
}

/** By target chain; KUBE-SERVICES is that of nat, because filter has another one. */
const jumps: Readonly<Record<string, string>> = {
  [baseChain.services]:
    'matches Service destinations; evaluated once per connection, then conntrack takes over',
  [baseChain.postrouting]: 'masquerades marked packets, which leave with this node’s address as their source',
  [baseChain.nodePorts]: 'accepts load balancers’ health checks, whatever the policy of INPUT',
  [baseChain.forward]: 'forwards Service traffic, whatever the policy of FORWARD',
  [baseChain.kubeletFirewall]: 'other hosts must not reach 127.0.0.0/8 of this node',
  [baseChain.externalServices]: 'external addresses that are not DNATed at this point have no endpoint',
  [baseChain.proxyFirewall]:
    'load balancers’ addresses that are not DNATed at this point are not allowed for the client',
}

function policyOf(rule: Rule, port: ServicePort | undefined): string {
  const isInternal = rule.destination !== undefined && rule.destination.value === port?.clusterIP
  return `${isInternal ? 'internal' : 'external'}TrafficPolicy Local`
}
