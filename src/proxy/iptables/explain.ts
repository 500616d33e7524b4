import type { ServicePort } from '../servicePort.js'
import { baseChain } from './chainNames.js'
import type { Reason } from './reason.js'
import { matchOf } from '../../netfilter/rules/model.js'
import type { Rule } from './rule.js'

/**
 * Why a rule is there, in a short sentence for people: what it is for, and which field of which object asked for it.
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
      (filtered ? undefined : jumps[chain]) ?? 'a cluster IP that is not DNATed by now has no endpoint for it'
    )
  },
  markForMasquerade: 'marks the packet; KUBE-POSTROUTING masquerades what is marked',
  postroutingUnmarked: 'not marked: leaves as it is',
  postroutingUnmark: 'takes the mark off, lest the packet be masqueraded twice',
  postroutingMasquerade: 'gives the packet this node’s address as source, so that the answer comes back here',
  forwardInvalid: 'conntrack knows no connection for it: left in, it could reset one that is DNATed',
  forwardMarked: 'Service traffic that was marked may be forwarded, whatever the policy of FORWARD',
  forwardEstablished: 'so may the packets that follow, in both directions',
  localnetFirewall:
    'route_localnet is on for iptables.localhostNodePorts; other hosts must not reach 127.0.0.0/8',
  nodePorts: (rule) =>
    matchOf(rule, 'addrtype')
      ? 'no address of a Service: perhaps a node port, on any address of this node'
      : 'no address of a Service: perhaps a node port, on an address that nodePortAddresses lists',
  clusterIP: (_, port) =>
    port?.internalPolicyLocal === true
      ? 'spec.clusterIP; internalTrafficPolicy Local keeps it on this node'
      : 'spec.clusterIP: goes to one of the endpoints',
  externalIP: 'spec.externalIPs: traffic to this address is the Service’s',
  loadBalancerIP: (_, port) =>
    (port?.sourceRanges.length ?? 0) > 0
      ? 'status.loadBalancer.ingress; loadBalancerSourceRanges decides who may'
      : 'status.loadBalancer.ingress: traffic to this address is the Service’s',
  nodePort: 'spec.ports[].nodePort: on the node’s own addresses',
  nodePortLocalhost:
    'spec.ports[].nodePort through localhost, counted apart: kube-proxy wants to know who still does that',
  healthCheckNodePort:
    'spec.healthCheckNodePort: the load balancer asks here whether this node has endpoints',
  noEndpoints: 'no endpoint is usable: refused at once, rather than a timeout',
  noLocalEndpoints: (rule, port) =>
    `only other nodes have endpoints, and ${policyOf(rule, port)} forbids going there: dropped`,
  outsideSourceRanges:
    'no range of loadBalancerSourceRanges took it (then it would be DNATed by now): dropped',
  masqueradeClusterIP: (rule) =>
    rule.source || rule.inInterface
      ? 'not from a pod: masqueraded, for the way back has to lead through this node'
      : 'masqueradeAll: everything to the cluster IP is masqueraded',
  masqueradeExternal:
    'externalTrafficPolicy Cluster: the endpoint may be elsewhere, the answer has to come back here',
  externalToCluster: 'then to any endpoint of the cluster',
  podToExternal: 'from a pod: taken as traffic inside the cluster, to any endpoint',
  masqueradeNodeToExternal: 'from the node itself: masqueraded, for the endpoint may be elsewhere',
  nodeToExternal: 'from the node itself: to any endpoint',
  externalToLocal: 'externalTrafficPolicy Local: from outside only to endpoints on this node, source kept',
  sourceRange: 'spec.loadBalancerSourceRanges: these may',
  sourceRangeNode: 'the node is in a range; with the address bound on it, its packets come from that address',
  sourceRangeRest: 'all others fall through to KUBE-PROXY-FIREWALL (this rule only says so)',
  affinity: (_, port) =>
    `sessionAffinity ClientIP: who came here in the last ${port?.affinitySeconds ?? 0} s comes here again`,
  loadBalancing: (rule) => {
    const chance = matchOf(rule, 'statistic')?.probability?.value
    return chance
      ? `one of ${Math.round(1 / chance)} endpoints that are left, by chance`
      : 'the last endpoint takes the rest'
  },
  hairpin:
    'a pod that reaches itself through its Service: masqueraded, or it would answer itself past the NAT',
  endpoint: (_, port) =>
    (port?.affinitySeconds ?? 0) > 0
      ? 'remembers the client (sessionAffinity) and sends it to the endpoint'
      : 'sends it to the endpoint: its address and target port',
}

/** By the chain that is jumped to; KUBE-SERVICES as in nat, for there is another in filter. */
const jumps: Readonly<Record<string, string>> = {
  [baseChain.services]:
    'is the destination a Service’s? asked once for each connection, conntrack does the rest',
  [baseChain.postrouting]: 'does the packet have to leave with this node’s address as its source?',
  [baseChain.nodePorts]: 'a load balancer’s health check may come in, whatever the policy of INPUT',
  [baseChain.forward]: 'Service traffic may be forwarded, whatever the policy of FORWARD',
  [baseChain.kubeletFirewall]: 'other hosts must not reach 127.0.0.0/8 of this node',
  [baseChain.externalServices]: 'an external address that is not DNATed by now has no endpoint for it',
  [baseChain.proxyFirewall]:
    'a load balancer’s address that is not DNATed by now was out of bounds for the sender',
}

function policyOf(rule: Rule, port: ServicePort | undefined): string {
  const isInternal = rule.destination !== undefined && rule.destination.value === port?.clusterIP
  return `${isInternal ? 'internal' : 'external'}TrafficPolicy Local`
}
