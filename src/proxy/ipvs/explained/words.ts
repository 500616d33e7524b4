import type { ServicePort } from '../../servicePort.js'
import type { PortServer } from '../ports.js'
import type { SetName } from '../sets.js'

/** Short descriptions of sets. */
export const setAbouts: Readonly<Record<SetName, string>> = {
  'KUBE-LOOP-BACK': 'pods on this node that may connect to themselves',
  'KUBE-CLUSTER-IP': 'cluster IPs and their ports',
  'KUBE-EXTERNAL-IP': 'external IPs and their ports',
  'KUBE-EXTERNAL-IP-LOCAL': 'external IPs with externalTrafficPolicy Local',
  'KUBE-LOAD-BALANCER': 'load balancers’ addresses and ports',
  'KUBE-LOAD-BALANCER-FW': 'load balancers with source ranges',
  'KUBE-LOAD-BALANCER-LOCAL': 'load balancers with externalTrafficPolicy Local',
  'KUBE-LOAD-BALANCER-SOURCE-IP': 'load balancers that this node may use',
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'clients that may use a load balancer',
  'KUBE-NODE-PORT-TCP': 'node ports of TCP',
  'KUBE-NODE-PORT-LOCAL-TCP': 'node ports of TCP with externalTrafficPolicy Local',
  'KUBE-NODE-PORT-UDP': 'node ports of UDP',
  'KUBE-NODE-PORT-LOCAL-UDP': 'node ports of UDP with externalTrafficPolicy Local',
  'KUBE-NODE-PORT-SCTP-HASH': 'node ports of SCTP',
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': 'node ports of SCTP with externalTrafficPolicy Local',
  'KUBE-HEALTH-CHECK-NODE-PORT': 'health check ports of load balancers',
  'KUBE-IPVS-IPS': 'the addresses of kube-ipvs0',
}

const keepsSource = 'externalTrafficPolicy Local: not masqueraded, the client’s address is preserved'
const masqueraded = 'masqueraded, because the endpoint may be on another node'

/** Why an entry is in a set: what the rules that match the set do. */
export const entryReasons: Readonly<Record<SetName, string>> = {
  'KUBE-LOOP-BACK': 'masqueraded when IPVS picks the pod that sent the request',
  'KUBE-CLUSTER-IP':
    'spec.clusterIP: accepted, and masqueraded unless the configuration treats the client as a pod',
  'KUBE-EXTERNAL-IP': `spec.externalIPs: accepted, and ${masqueraded}`,
  'KUBE-EXTERNAL-IP-LOCAL': `spec.externalIPs: accepted; ${keepsSource}`,
  'KUBE-LOAD-BALANCER':
    'status.loadBalancer.ingress: accepted, and masqueraded unless it is in KUBE-LOAD-BALANCER-LOCAL',
  'KUBE-LOAD-BALANCER-FW': 'spec.loadBalancerSourceRanges: only for clients in the next sets',
  'KUBE-LOAD-BALANCER-LOCAL': keepsSource,
  'KUBE-LOAD-BALANCER-SOURCE-IP':
    'the node is in an allowed range and connects from the load balancer’s address',
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'spec.loadBalancerSourceRanges: this range may connect',
  'KUBE-NODE-PORT-TCP': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-TCP': keepsSource,
  'KUBE-NODE-PORT-UDP': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-UDP': keepsSource,
  'KUBE-NODE-PORT-SCTP-HASH': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': keepsSource,
  'KUBE-HEALTH-CHECK-NODE-PORT': 'spec.healthCheckNodePort: accepted on any address of the node',
  'KUBE-IPVS-IPS': 'traffic to any other port of this address is rejected',
}

/** How each scheduler picks a real server; see ipvsadm(8). */
const schedulers: Readonly<Record<string, string>> = {
  rr: 'in turn',
  wrr: 'in turn by weight; all weights are equal',
  lc: 'the one with the fewest connections, of which inactive ones hardly count',
  wlc: 'the one with the fewest connections for its weight; all weights are equal',
  lblc: 'the same server for each destination, unless it has too many connections',
  lblcr: 'the least busy of a fixed group for each destination',
  sh: 'by a hash of the client’s address',
  dh: 'by a hash of the destination’s address',
  sed: 'the one with the fewest open connections',
  nq: 'an idle one, otherwise the one with the fewest open connections',
  fo: 'the first with the highest weight',
  ovf: 'the first, until it has as many connections as its weight',
  mh: 'by a hash of the client’s address and port that moves few clients when servers change (Maglev)',
}

/** How a virtual server picks a real server. */
export function pickText({ scheduler, persistence }: PortServer): string {
  const how = schedulers[scheduler]
  const picks = how === undefined ? `the kernel picks by ${scheduler}` : `${scheduler} picks ${how}`
  if (persistence === 0) return picks
  return `${picks}; sessionAffinity ClientIP: a client keeps its server for ${persistence} s`
}

/** The field of the Service that a virtual server is for. */
export function serverAbout({ address, frontend }: PortServer, port: ServicePort): string {
  if (address === port.clusterIP) return `spec.clusterIP${policy(port.internalPolicyLocal, frontend)}`
  const outside = policy(port.externalPolicyLocal, frontend)
  if (port.externalIPs.includes(address) && frontend.port === port.port) return `spec.externalIPs${outside}`
  if (port.loadBalancerVIPs.includes(address) && frontend.port === port.port)
    return `status.loadBalancer.ingress${outside}`
  return `spec.ports[].nodePort${outside}`
}

function policy(local: boolean, { endpoints }: PortServer['frontend']): string {
  if (endpoints.length === 0) return ', no endpoint: rejected'
  if (!local) return ''
  const here = endpoints.every((endpoint) => endpoint.local)
  return here ? ', only endpoints on this node' : ', no endpoint on this node: uses those on other nodes'
}
