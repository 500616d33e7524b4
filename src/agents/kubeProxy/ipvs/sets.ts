import type { IpFamily } from '../../../net/ipFamily.js'

/** The ipsets of kube-proxy in IPVS mode, by the names of IPv4. */
export type SetName = keyof typeof definitions

/** The type of an ipset, and the comment of rules that match it. */
export interface SetDefinition {
  readonly type: 'hash:ip' | 'hash:ip,port' | 'hash:ip,port,ip' | 'hash:ip,port,net' | 'bitmap:port'
  readonly comment: string
}

const definitions = {
  'KUBE-LOOP-BACK': of(
    'hash:ip,port,ip',
    'Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose',
  ),
  'KUBE-CLUSTER-IP': of('hash:ip,port', 'Kubernetes service cluster ip + port for masquerade purpose'),
  'KUBE-EXTERNAL-IP': of(
    'hash:ip,port',
    'Kubernetes service external ip + port for masquerade and filter purpose',
  ),
  'KUBE-EXTERNAL-IP-LOCAL': of(
    'hash:ip,port',
    'Kubernetes service external ip + port with externalTrafficPolicy=local',
  ),
  'KUBE-LOAD-BALANCER': of('hash:ip,port', 'Kubernetes service lb portal'),
  'KUBE-LOAD-BALANCER-FW': of(
    'hash:ip,port',
    'Kubernetes service load balancer ip + port for load balancer with sourceRange',
  ),
  'KUBE-LOAD-BALANCER-LOCAL': of(
    'hash:ip,port',
    'Kubernetes service load balancer ip + port with externalTrafficPolicy=local',
  ),
  'KUBE-LOAD-BALANCER-SOURCE-IP': of(
    'hash:ip,port,ip',
    'Kubernetes service load balancer ip + port + source IP for packet filter purpose',
  ),
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': of(
    'hash:ip,port,net',
    'Kubernetes service load balancer ip + port + source cidr for packet filter purpose',
  ),
  'KUBE-NODE-PORT-TCP': of('bitmap:port', 'Kubernetes nodeport TCP port for masquerade purpose'),
  'KUBE-NODE-PORT-LOCAL-TCP': of(
    'bitmap:port',
    'Kubernetes nodeport TCP port with externalTrafficPolicy=local',
  ),
  'KUBE-NODE-PORT-UDP': of('bitmap:port', 'Kubernetes nodeport UDP port for masquerade purpose'),
  'KUBE-NODE-PORT-LOCAL-UDP': of(
    'bitmap:port',
    'Kubernetes nodeport UDP port with externalTrafficPolicy=local',
  ),
  'KUBE-NODE-PORT-SCTP-HASH': of(
    'hash:ip,port',
    "Kubernetes nodeport SCTP port for masquerade purpose with type 'hash ip:port'",
  ),
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': of(
    'hash:ip,port',
    "Kubernetes nodeport SCTP port with externalTrafficPolicy=local with type 'hash ip:port'",
  ),
  'KUBE-HEALTH-CHECK-NODE-PORT': of('bitmap:port', 'Kubernetes health check node port'),
  'KUBE-IPVS-IPS': of('hash:ip', 'Addresses on the ipvs interface'),
}

/** All 17; empty ones exist too. Mirrors ipsetInfo of pkg/proxy/ipvs. */
export const setDefinitions: Readonly<Record<SetName, SetDefinition>> = definitions

/** Their names. */
export const setNames = Object.keys(definitions) as readonly SetName[]

/** Maximum length of a name in the kernel, in bytes. */
const longestName = 31

/** The name in one family: `KUBE-6-…` in IPv6, truncated if too long. */
export function nameInFamily(name: SetName, family: IpFamily): string {
  return family === 'IPv4' ? name : name.replace('KUBE-', 'KUBE-6-').slice(0, longestName)
}

/** What follows `create NAME`; hash sizes are ipset's own defaults, written out by kube-proxy. */
export function createOptions(name: SetName, family: IpFamily): string {
  const { type } = definitions[name]
  if (type === 'bitmap:port') return `${type} range 0-65535`
  return `${type} family ${family === 'IPv4' ? 'inet' : 'inet6'} hashsize 1024 maxelem 65536`
}

function of(type: SetDefinition['type'], comment: string): SetDefinition {
  return { type, comment }
}
