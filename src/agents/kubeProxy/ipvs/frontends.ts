import { networkHolds } from '../../../net/address.js'
import type { EndpointCategories } from '../endpointCategories.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import type { SetName } from './sets.js'

/** One address of a service port, with what it requires. */
export interface Frontend {
  readonly address: string
  readonly port: number
  readonly endpoints: readonly ProxyEndpoint[]
  /** On kube-ipvs0; a node's own address is not. */
  readonly bound: boolean
  readonly entries: readonly SetEntry[]
}

/** An entry of an ipset. */
export type SetEntry = readonly [set: SetName, entry: string]

/** Properties of the node that affect the frontends. */
export interface FrontendPlace {
  readonly nodeIP: string
  /** Where node ports answer. */
  readonly nodePortIPs: readonly string[]
  /** Addresses of the node's other interfaces, which are not bound to kube-ipvs0 again. */
  readonly elsewhere: ReadonlySet<string>
}

/** The frontends of one service port in kube-proxy's order: cluster IP, external IPs, load balancer, node port. */
export function frontendsOf(
  port: ServicePort,
  categories: EndpointCategories,
  place: FrontendPlace,
): readonly Frontend[] {
  const internal = endpointsFor(port.internalPolicyLocal, categories)
  const external = endpointsFor(port.externalPolicyLocal, categories)
  const at = (address: string) => `${address},${port.protocolName}:${port.port}`
  const bindable = (address: string) => !place.elsewhere.has(address)
  const frontend = (address: string, rest: Pick<Frontend, 'endpoints' | 'bound' | 'entries'>): Frontend => ({
    address,
    port: port.port,
    ...rest,
  })
  return [
    frontend(port.clusterIP, {
      endpoints: internal,
      bound: true,
      entries: [['KUBE-CLUSTER-IP', at(port.clusterIP)]],
    }),
    ...port.externalIPs.map((address) =>
      frontend(address, {
        endpoints: external,
        bound: bindable(address),
        entries: [[port.externalPolicyLocal ? 'KUBE-EXTERNAL-IP-LOCAL' : 'KUBE-EXTERNAL-IP', at(address)]],
      }),
    ),
    ...port.loadBalancerVIPs.map((address) =>
      frontend(address, {
        endpoints: external,
        bound: bindable(address),
        entries: balancerEntries(port, address, at(address), place.nodeIP),
      }),
    ),
    ...(port.nodePort === 0 ? [] : place.nodePortIPs).map((address) => ({
      address,
      port: port.nodePort,
      endpoints: external,
      bound: false,
      entries: nodePortEntries(port, address),
    })),
  ]
}

/** Local endpoints if the policy requires them; if there are none, unlike in other modes, those of other nodes. */
function endpointsFor(local: boolean, categories: EndpointCategories): readonly ProxyEndpoint[] {
  return local && categories.local.length > 0 ? categories.local : categories.cluster
}

function balancerEntries(
  port: ServicePort,
  address: string,
  entry: string,
  nodeIP: string,
): readonly SetEntry[] {
  const entries: SetEntry[] = [['KUBE-LOAD-BALANCER', entry]]
  if (port.externalPolicyLocal) entries.push(['KUBE-LOAD-BALANCER-LOCAL', entry])
  if (port.sourceRanges.length === 0) return entries
  entries.push(['KUBE-LOAD-BALANCER-FW', entry])
  for (const range of port.sourceRanges)
    entries.push(['KUBE-LOAD-BALANCER-SOURCE-CIDR', `${entry},${range.text}`])
  if (allowsNode(port, nodeIP)) entries.push(['KUBE-LOAD-BALANCER-SOURCE-IP', `${entry},${address}`])
  return entries
}

/** Whether the node itself may use the load balancer's address; its packets then have that address as source. */
export function allowsNode(port: ServicePort, nodeIP: string): boolean {
  return port.sourceRanges.some((range) => networkHolds(range, nodeIP))
}

function nodePortEntries(port: ServicePort, address: string): readonly SetEntry[] {
  const number = String(port.nodePort)
  const local = port.externalPolicyLocal
  switch (port.protocol) {
    case 'TCP':
      return [
        ['KUBE-NODE-PORT-TCP', number],
        ...(local ? ([['KUBE-NODE-PORT-LOCAL-TCP', number]] as const) : []),
      ]
    case 'UDP':
      return [
        ['KUBE-NODE-PORT-UDP', number],
        ...(local ? ([['KUBE-NODE-PORT-LOCAL-UDP', number]] as const) : []),
      ]
    case 'SCTP': {
      const entry = `${address},sctp:${number}`
      return [
        ['KUBE-NODE-PORT-SCTP-HASH', entry],
        ...(local ? ([['KUBE-NODE-PORT-LOCAL-SCTP-HASH', entry]] as const) : []),
      ]
    }
  }
}
