import { isDeepStrictEqual } from 'node:util'
import type { IpFamily } from '../../../net/ipFamily.js'
import { parseAddress } from '../../../net/address.js'
import { endpointsMap } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { nodeIPs } from '../nodeAddresses.js'
import { servicePortOptions, servicePorts, type ServicePort } from '../servicePort.js'
import { nextProxyPort, parsePortRange, usualProxyPorts } from './proxyPorts.js'
import type { Portal, PortalPlace } from './types.js'

/** A portal with its endpoints, as `address:port`. */
export interface ServedPortal extends Portal {
  readonly endpoints: readonly string[]
}

/** The portals of one node and family, in the order in which they were opened. */
export interface Portals {
  readonly place: PortalPlace
  readonly portals: readonly ServedPortal[]
  /** The last allocated proxy port. */
  readonly lastPort: number
}

/** The portals of a kube-proxy that starts; its ports are those after `after`. */
export function buildPortals(input: ProxyInput, family: IpFamily, after = 0): Portals {
  return updatePortals({ place: placeOf(input, family), portals: [], lastPort: after }, input, family)
}

/**
 * The portals for a later input: an unchanged service port keeps its portal, every other one is closed and reopened
 * on another proxy port; mirrors mergeService. A port is not served without a free proxy port; SCTP is never served.
 */
export function updatePortals(previous: Portals, input: ProxyInput, family: IpFamily): Portals {
  const place = placeOf(input, family)
  const options = servicePortOptions(input.config)
  const ports = input.services.flatMap((service) => servicePorts(service, family, options)).filter(isServed)
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  const ready = ({ key }: ServicePort) =>
    (endpoints.get(key) ?? []).filter((endpoint) => endpoint.ready).map(({ text }) => text)
  const wanted = new Map(ports.map((port) => [port.key, port]))
  const samePlace = isDeepStrictEqual(place, previous.place)
  const kept: ServedPortal[] = []
  for (const { port: was, proxyPort } of previous.portals) {
    const port = wanted.get(was.key)
    if (port === undefined || !samePlace || !isSame(was, port)) continue
    kept.push({ port, proxyPort, endpoints: ready(port) })
    wanted.delete(was.key)
  }
  // a port closed in this update is not reused in it
  const taken = new Set(previous.portals.map(({ proxyPort }) => proxyPort))
  const range = parsePortRange(input.config.portRange) ?? usualProxyPorts
  let { lastPort } = previous
  for (const port of wanted.values()) {
    const proxyPort = nextProxyPort(range, lastPort, (one) => taken.has(one))
    if (proxyPort === undefined) break
    taken.add(proxyPort)
    lastPort = proxyPort
    kept.push({ port, proxyPort, endpoints: ready(port) })
  }
  return { place, portals: kept, lastPort }
}

function isServed({ protocol }: ServicePort): boolean {
  return protocol !== 'SCTP'
}

/** Whether a portal can stay: compares only the type of session affinity, and no policies or source ranges. */
function isSame(a: ServicePort, b: ServicePort): boolean {
  return isDeepStrictEqual(whatCounts(a), whatCounts(b))
}

function whatCounts(of: ServicePort) {
  const { protocol, port, nodePort, clusterIP, externalIPs, loadBalancerVIPs, affinitySeconds } = of
  return { protocol, port, nodePort, clusterIP, externalIPs, loadBalancerVIPs, affinity: affinitySeconds > 0 }
}

/** Where kube-proxy listens: on every address, unless bindAddress is one of this family. */
function placeOf({ config, node }: ProxyInput, family: IpFamily): PortalPlace {
  const every = family === 'IPv4' ? '0.0.0.0' : '::'
  const bound = parseAddress(config.bindAddress)
  return {
    bindAddress: bound?.family === family ? bound.text : every,
    hostIP: nodeIPs(node, config)[family],
  }
}
