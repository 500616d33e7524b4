import type { IpFamily } from '../../../net/ipFamily.js'
import { categorizeEndpoints } from '../endpointCategories.js'
import { endpointsMap, type ProxyEndpoint } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { placeOf } from '../iptables/context.js'
import { nodeIPs, nodePortAddresses } from '../nodeAddresses.js'
import { servicePortOptions, servicePorts, type ServicePort } from '../servicePort.js'
import type { PortWithEndpoints } from '../staleConntrack.js'
import { frontendsOf, type Frontend, type FrontendPlace, type SetEntry } from './frontends.js'
import { serverName } from './serverChanges.js'
import type { VirtualServer } from './types.js'
import { addressOfFamily, isLoopback } from '../../../net/address.js'

/** A virtual server and the frontend of the Service that requires it. */
export interface PortServer extends VirtualServer {
  readonly frontend: Frontend
}

/** What one service port has on a node, in kube-proxy's order. */
export interface IpvsPort {
  readonly port: ServicePort
  readonly servers: readonly PortServer[]
  /** Its addresses on kube-ipvs0. */
  readonly bound: readonly string[]
  readonly entries: readonly SetEntry[]
}

/** Every service port of one family with what it has on the node. */
export function ipvsPorts(input: ProxyInput, family: IpFamily): readonly IpvsPort[] {
  const { config, node } = input
  const place: FrontendPlace = {
    nodeIP: nodeIPs(node, config)[family],
    nodePortIPs: nodePortIPs(input, family),
    elsewhere: new Set(ownAddresses(input, family)),
  }
  const scheduler = config.ipvs.scheduler === '' ? 'rr' : config.ipvs.scheduler
  return ipvsServicePorts(input, family).map(({ port, endpoints }) => {
    const frontends = frontendsOf(
      port,
      categorizeEndpoints(endpoints, port, placeOf(input), config.version),
      place,
    )
    const bound = frontends.filter((frontend) => frontend.bound).map(({ address }) => address)
    const answered = port.nodePort === 0 || place.nodePortIPs.length > 0
    const checked = port.healthCheckNodePort !== 0 && answered
    return {
      port,
      servers: frontends.map((frontend) => serverOf(port, frontend, scheduler)),
      bound,
      entries: [
        ...endpoints.filter(({ local }) => local).map((one) => hairpinEntry(port, one)),
        ...frontends.flatMap(({ entries }) => entries),
        ...(checked ? [['KUBE-HEALTH-CHECK-NODE-PORT', String(port.healthCheckNodePort)] as const] : []),
        ...bound.map((address) => ['KUBE-IPVS-IPS', address] as const),
      ],
    }
  })
}

/** If two Services use the same address, port and protocol, the one written last wins. */
export function existingServers(ports: readonly IpvsPort[]): ReadonlyMap<string, PortServer> {
  const all = ports.flatMap(({ servers }) => servers)
  return new Map(all.map((server) => [serverName(server), server]))
}

/** The service ports of one family with all known endpoints. */
export function ipvsServicePorts(input: ProxyInput, family: IpFamily): PortWithEndpoints[] {
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  return portsOf(input, family).map((port) => ({ port, endpoints: endpoints.get(port.key) ?? [] }))
}

function portsOf(input: ProxyInput, family: IpFamily): readonly ServicePort[] {
  const options = servicePortOptions(input.config)
  return input.services
    .flatMap((service) => servicePorts(service, family, options))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function hairpinEntry(port: ServicePort, { address, port: target }: ProxyEndpoint): SetEntry {
  return ['KUBE-LOOP-BACK', `${address},${port.protocolName}:${target},${address}`]
}

function serverOf(port: ServicePort, frontend: Frontend, scheduler: string): PortServer {
  return {
    frontend,
    address: frontend.address,
    port: frontend.port,
    protocol: port.protocolName,
    scheduler,
    persistence: port.affinitySeconds,
    realServers: [...new Set(frontend.endpoints.map(({ text }) => text))],
  }
}

/** The node's addresses of one family, on all interfaces except kube-ipvs0. */
function ownAddresses({ node, localAddresses }: ProxyInput, family: IpFamily): readonly string[] {
  const all = localAddresses ?? (node.status?.addresses ?? []).map(({ address }) => address)
  return [...new Set(all.map((address) => addressOfFamily(address, family)).filter(isText))]
}

/** Addresses that accept node ports, each with its own virtual server; never loopback or link-local ones. */
function nodePortIPs(input: ProxyInput, family: IpFamily): readonly string[] {
  const { matchAll, addresses } = nodePortAddresses(input, family)
  const found = matchAll ? ownAddresses(input, family) : addresses
  return found.filter((address) => !isLoopback(address) && !isLinkLocalIPv6(address))
}

function isLinkLocalIPv6(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/.test(address)
}

function isText(text: string | undefined): text is string {
  return text !== undefined
}
