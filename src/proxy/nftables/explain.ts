import type { ServicePort } from '../servicePort.js'
import { nftChain } from './chainNames.js'
import type { NftReason } from './reason.js'
import type { NftRule } from './rule.js'
import type { ContainedElement } from './serviceTable.js'

/** Why an nft rule is there, in a short sentence for people. */
export function explainNftRule(rule: NftRule): string {
  const text = sentences[rule.reason]
  return typeof text === 'string' ? text : text(rule, rule.port)
}

/** Why an element is in its set or map, and which field of which object asked for it. */
export function explainElement({ container, key, value = '' }: ContainedElement, port: ServicePort): string {
  const nobody =
    value === 'drop'
      ? 'only other nodes have endpoints, and the traffic policy forbids going there: dropped'
      : 'no endpoint is usable: refused at once, rather than a timeout'
  switch (container) {
    case 'hairpin-connections':
      return 'a pod of this node that reaches itself through its Service is masqueraded'
    case 'cluster-ips':
      return 'spec.clusterIP: what no other map knows of this address is refused'
    case 'no-endpoint-services':
    case 'no-endpoint-nodeports':
      return nobody
    case 'firewall-ips':
      return 'spec.loadBalancerSourceRanges decides who may'
    case 'service-nodeports':
      return 'spec.ports[].nodePort'
    case 'service-ips':
      return key.startsWith(`${port.clusterIP} . `) ? clusterIPText(port) : externalText(port, key)
  }
}

function clusterIPText({ internalPolicyLocal }: ServicePort): string {
  const local = internalPolicyLocal ? '; internalTrafficPolicy Local keeps it on this node' : ''
  return `spec.clusterIP: goes to one of the endpoints${local}`
}

function externalText({ externalIPs }: ServicePort, key: string): string {
  const field = externalIPs.some((address) => key.startsWith(`${address} . `))
    ? 'spec.externalIPs'
    : 'status.loadBalancer.ingress'
  return `${field}: traffic to this address is the Service’s`
}

type Sentence = string | ((rule: NftRule, port: ServicePort | undefined) => string)

const sentences: Readonly<Record<NftReason, Sentence>> = {
  jump: ({ statements }) => {
    const last = statements.at(-1)
    return (typeof last === 'string' ? jumps[last.replace('jump ', '')] : undefined) ?? ''
  },
  nodePortEndpointsCheck: 'a node port without an endpoint that may be used: the map says refused or dropped',
  serviceEndpointsCheck: 'an address and port without such an endpoint: the map says refused or dropped',
  firewallCheck: 'an address of a load balancer that not everybody may call',
  masqueradeAll: 'masqueradeAll: everything to a cluster IP is masqueraded',
  masqueradeOutside: 'not from a pod: masqueraded, for the way back has to lead through this node',
  serviceIPs: 'one look finds the Service of the address and port, however many there are',
  nodePorts: 'for an address of this node: one look finds the Service of the port',
  masqueradeMarked: 'takes the mark off, and gives the packet this node’s address as source',
  hairpin:
    'a pod that reaches itself through its Service: masqueraded, or it would answer itself past the NAT',
  invalidPorts: 'the address of a Service, but not a port of it (it would be DNATed by now): refused',
  unallocated: 'an address that no Service has: dropped',
  reject: 'refused, with an ICMP message',
  masqueradeExternal:
    'externalTrafficPolicy Cluster: the endpoint may be elsewhere, the answer has to come back here',
  externalToCluster: 'then to any endpoint of the cluster',
  podShortCircuit: 'from a pod: taken as traffic inside the cluster, to any endpoint',
  masqueradeLocal: 'from the node itself: masqueraded, for the endpoint may be elsewhere',
  localShortCircuit: 'from the node itself: to any endpoint',
  externalToLocal: 'externalTrafficPolicy Local: from outside only to endpoints on this node, source kept',
  sourceRanges: 'not in spec.loadBalancerSourceRanges: dropped',
  affinity: (_, port) =>
    `sessionAffinity ClientIP: who came here in the last ${port?.affinitySeconds ?? 0} s comes here again`,
  loadBalancing: ({ statements }) => {
    const [balance] = statements
    if (typeof balance !== 'object') return 'one of the endpoints, by chance'
    const all = 'endpoints' in balance ? balance.endpoints : 'chains' in balance ? balance.chains : []
    return all.length === 1 ? 'the one endpoint' : `one of ${all.length} endpoints, by chance`
  },
  remember: 'remembers the client (sessionAffinity), or that it came again',
  endpoint: 'sends it to the endpoint: its address and target port',
}

/** By the chain that is jumped to. */
const jumps: Readonly<Record<string, string>> = {
  [nftChain.firewallCheck]: 'may the sender call this address of a load balancer? asked before DNAT',
  [nftChain.nodePortEndpointsCheck]: 'a node port that is not DNATed by now may have no endpoint for it',
  [nftChain.serviceEndpointsCheck]: 'an address of a Service that is not DNATed by now may have no endpoint',
  [nftChain.clusterIPsCheck]: 'what still goes to a cluster IP goes nowhere',
  [nftChain.services]:
    'is the destination a Service’s? asked once for each connection, conntrack does the rest',
  [nftChain.masquerading]: 'does the packet have to leave with this node’s address as its source?',
}
