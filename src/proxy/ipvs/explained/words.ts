import type { ServicePort } from '../../servicePort.js'
import type { PortServer } from '../ports.js'
import type { SetName } from '../sets.js'

/** What a set is for, in a few words. */
export const setAbouts: Readonly<Record<SetName, string>> = {
  'KUBE-LOOP-BACK': 'pods of this node that may reach themselves',
  'KUBE-CLUSTER-IP': 'cluster IPs and their ports',
  'KUBE-EXTERNAL-IP': 'external IPs and their ports',
  'KUBE-EXTERNAL-IP-LOCAL': 'external IPs with externalTrafficPolicy Local',
  'KUBE-LOAD-BALANCER': 'load balancers’ addresses and ports',
  'KUBE-LOAD-BALANCER-FW': 'load balancers that not everybody may use',
  'KUBE-LOAD-BALANCER-LOCAL': 'load balancers with externalTrafficPolicy Local',
  'KUBE-LOAD-BALANCER-SOURCE-IP': 'load balancers that this node may use',
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'who may use a load balancer',
  'KUBE-NODE-PORT-TCP': 'node ports of TCP',
  'KUBE-NODE-PORT-LOCAL-TCP': 'node ports of TCP with externalTrafficPolicy Local',
  'KUBE-NODE-PORT-UDP': 'node ports of UDP',
  'KUBE-NODE-PORT-LOCAL-UDP': 'node ports of UDP with externalTrafficPolicy Local',
  'KUBE-NODE-PORT-SCTP-HASH': 'node ports of SCTP',
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': 'node ports of SCTP with externalTrafficPolicy Local',
  'KUBE-HEALTH-CHECK-NODE-PORT': 'health check ports of load balancers',
  'KUBE-IPVS-IPS': 'the addresses of kube-ipvs0',
}

const keepsSource = 'externalTrafficPolicy Local: not masqueraded, the client’s address stays'
const masqueraded = 'masqueraded, for the endpoint may be elsewhere'

/** Why an entry is in a set: what the rules that ask it do then. */
export const entryReasons: Readonly<Record<SetName, string>> = {
  'KUBE-LOOP-BACK': 'when IPVS picks the pod that asked, it is masqueraded',
  'KUBE-CLUSTER-IP':
    'spec.clusterIP: let in, and masqueraded unless the configuration takes the client for a pod',
  'KUBE-EXTERNAL-IP': `spec.externalIPs: let in, and ${masqueraded}`,
  'KUBE-EXTERNAL-IP-LOCAL': `spec.externalIPs: let in; ${keepsSource}`,
  'KUBE-LOAD-BALANCER':
    'status.loadBalancer.ingress: let in, and masqueraded unless KUBE-LOAD-BALANCER-LOCAL has it',
  'KUBE-LOAD-BALANCER-FW': 'spec.loadBalancerSourceRanges: only for those whom the next sets name',
  'KUBE-LOAD-BALANCER-LOCAL': keepsSource,
  'KUBE-LOAD-BALANCER-SOURCE-IP': 'the node is in a range, and calls from the load balancer’s address',
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'spec.loadBalancerSourceRanges: these may',
  'KUBE-NODE-PORT-TCP': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-TCP': keepsSource,
  'KUBE-NODE-PORT-UDP': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-UDP': keepsSource,
  'KUBE-NODE-PORT-SCTP-HASH': `spec.ports[].nodePort: ${masqueraded}`,
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': keepsSource,
  'KUBE-HEALTH-CHECK-NODE-PORT': 'spec.healthCheckNodePort: let in, on any address of the node',
  'KUBE-IPVS-IPS': 'whatever comes for another port of this address is refused',
}

/** How each scheduler of the kernel picks a real server; see ipvsadm(8). */
const schedulers: Readonly<Record<string, string>> = {
  rr: 'one after the other',
  wrr: 'one after the other, by weight; all weigh the same',
  lc: 'the one with the fewest connections; those that have ended hardly count',
  wlc: 'the one with the fewest connections for its weight; all weigh the same',
  lblc: 'always the same for one destination, unless it has too many connections',
  lblcr: 'always one of the same few for one destination, the least busy',
  sh: 'by a hash of the client’s address',
  dh: 'by a hash of the destination’s address',
  sed: 'the one with the fewest connections that are open',
  nq: 'one without open connections, else that with the fewest',
  fo: 'the first with the highest weight',
  ovf: 'the first, until it has as many connections as its weight',
  mh: 'by a hash of the client’s address and port, which moves few clients when servers come or go (Maglev)',
}

/** How a virtual server picks. */
export function pickText({ scheduler, persistence }: PortServer): string {
  const how = schedulers[scheduler]
  const picks = how === undefined ? `the kernel picks by ${scheduler}` : `${scheduler} picks ${how}`
  if (persistence === 0) return picks
  return `${picks}; sessionAffinity ClientIP: then a client stays with it for ${persistence} s`
}

/** What of the Service a virtual server is for. */
export function serverAbout({ address, frontend }: PortServer, port: ServicePort): string {
  if (address === port.clusterIP) return `spec.clusterIP${policy(port.internalPolicyLocal, frontend)}`
  const outside = policy(port.externalPolicyLocal, frontend)
  if (port.externalIPs.includes(address) && frontend.port === port.port) return `spec.externalIPs${outside}`
  if (port.loadBalancerVIPs.includes(address) && frontend.port === port.port)
    return `status.loadBalancer.ingress${outside}`
  return `spec.ports[].nodePort${outside}`
}

function policy(local: boolean, { endpoints }: PortServer['frontend']): string {
  if (endpoints.length === 0) return ', no endpoint: refused'
  if (!local) return ''
  const here = endpoints.every((endpoint) => endpoint.local)
  return here ? ', endpoints of this node only' : ', no endpoint on this node: those of others'
}
