import type { ServicePort } from '../servicePort.js'
import { nftChain } from './chainNames.js'
import type { NftReason } from './reason.js'
import type { NftRule } from './rule.js'
import type { ContainedElement } from './serviceTable.js'

/** Explains an nft rule in a short sentence. */
export function explainNftRule(rule: NftRule): string {
  const text = sentences[rule.reason]
  return typeof text === 'string' ? text : text(rule, rule.port)
}

/** Explains an element of a set or map, with the field of the object that requires it. */
export function explainElement({ container, key, value = '' }: ContainedElement, port: ServicePort): string {
  const nobody =
    value === 'drop'
      ? 'only other nodes have endpoints, and the traffic policy does not allow them: dropped'
      : 'no usable endpoint: rejected immediately instead of timing out'
  switch (container) {
    case 'hairpin-connections':
      return 'a pod on this node that connects to itself through its Service is masqueraded'
    case 'cluster-ips':
      return 'spec.clusterIP: traffic to this address that matches no other map is rejected'
    case 'no-endpoint-services':
    case 'no-endpoint-nodeports':
      return nobody
    case 'firewall-ips':
      return 'spec.loadBalancerSourceRanges decides which clients may connect'
    case 'service-nodeports':
      return 'spec.ports[].nodePort'
    case 'service-ips':
      return key.startsWith(`${port.clusterIP} . `) ? clusterIPText(port) : externalText(port, key)
  }
}

function clusterIPText({ internalPolicyLocal }: ServicePort): string {
  const local = internalPolicyLocal ? '; internalTrafficPolicy Local keeps it on this node' : ''
  return `spec.clusterIP: sent to one of the endpoints${local}`
}

function externalText({ externalIPs }: ServicePort, key: string): string {
  const field = externalIPs.some((address) => key.startsWith(`${address} . `))
    ? 'spec.externalIPs'
    : 'status.loadBalancer.ingress'
  return `${field}: traffic to this address belongs to the Service`
}

type Sentence = string | ((rule: NftRule, port: ServicePort | undefined) => string)

const sentences: Readonly<Record<NftReason, Sentence>> = {
  jump: ({ statements }) => {
    const last = statements.at(-1)
    return (typeof last === 'string' ? jumps[last.replace('jump ', '')] : undefined) ?? ''
  },
  nodePortEndpointsCheck: 'a node port without a usable endpoint: rejected or dropped, as the map specifies',
  serviceEndpointsCheck:
    'an address and port without a usable endpoint: rejected or dropped, as the map specifies',
  firewallCheck: 'a load balancer’s address with restricted source ranges',
  masqueradeAll: 'masqueradeAll: all traffic to a cluster IP is masqueraded',
  masqueradeOutside: 'not from a pod: masqueraded, so that replies return through this node',
  serviceIPs: 'one lookup finds the Service by address and port, however many Services there are',
  nodePorts: 'to an address of this node: one lookup finds the Service by node port',
  masqueradeMarked: 'clears the mark and rewrites the source to this node’s address',
  hairpin:
    'a pod that connects to itself through its Service: masqueraded, otherwise its replies would bypass the NAT',
  invalidPorts: 'a Service’s address, but not one of its ports (those are already DNATed): rejected',
  unallocated: 'a cluster IP that belongs to no Service: dropped',
  reject: 'rejected with an ICMP message',
  masqueradeExternal:
    'externalTrafficPolicy Cluster: the endpoint may be on another node, and replies must return through this node',
  externalToCluster: 'then to any endpoint in the cluster',
  podShortCircuit: 'from a pod: treated as traffic inside the cluster, to any endpoint',
  masqueradeLocal: 'from the node itself: masqueraded, because the endpoint may be on another node',
  localShortCircuit: 'from the node itself: to any endpoint',
  externalToLocal:
    'externalTrafficPolicy Local: external traffic only to endpoints on this node, source IP preserved',
  sourceRanges: 'not in spec.loadBalancerSourceRanges: dropped',
  affinity: (_, port) =>
    `sessionAffinity ClientIP: clients of the last ${port?.affinitySeconds ?? 0} s are sent to the same endpoint`,
  loadBalancing: ({ statements }) => {
    const [balance] = statements
    if (typeof balance !== 'object') return 'a random endpoint'
    const all = 'endpoints' in balance ? balance.endpoints : 'chains' in balance ? balance.chains : []
    return all.length === 1 ? 'the only endpoint' : `a random choice of ${all.length} endpoints`
  },
  remember: 'records the client, or renews its record (sessionAffinity)',
  endpoint: 'DNAT to the endpoint’s address and target port',
}

/** By target chain. */
const jumps: Readonly<Record<string, string>> = {
  [nftChain.firewallCheck]: 'checks, before DNAT, whether the client may use this load balancer’s address',
  [nftChain.nodePortEndpointsCheck]: 'node ports that are not DNATed at this point may have no endpoint',
  [nftChain.serviceEndpointsCheck]:
    'Service addresses that are not DNATed at this point may have no endpoint',
  [nftChain.clusterIPsCheck]: 'handles traffic to cluster IPs that has not been DNATed',
  [nftChain.services]:
    'matches Service destinations; evaluated once per connection, then conntrack takes over',
  [nftChain.masquerading]: 'masquerades marked packets, which leave with this node’s address as their source',
}
