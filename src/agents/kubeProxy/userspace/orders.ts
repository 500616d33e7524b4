import type { IpFamily } from '../../../net/ipFamily.js'
import type { Portals } from './portals.js'

/** An address and port of the node. */
export interface PortAddress {
  readonly address: string
  readonly port: number
}

/** One portal, as sent to kube-proxy's process on a node. */
export interface PortalOrder {
  /** `namespace/service:port/PROTOCOL`. */
  readonly key: string
  readonly protocol: 'tcp' | 'udp'
  readonly listen: PortAddress
  /** Ports of the node reserved against other processes: node ports, and Service addresses that are the node's own. */
  readonly reservations: readonly PortAddress[]
  /** Session affinity timeout in seconds; 0 without session affinity. */
  readonly affinitySeconds: number
  /** `address:port`, with brackets for IPv6. */
  readonly endpoints: readonly string[]
}

/** All portals of one family; portals that are not listed are closed. */
export interface PortalOrders {
  readonly family: IpFamily
  readonly portals: readonly PortalOrder[]
}

/** A port that could not be opened. */
export interface PortRefused extends PortAddress {
  readonly key: string
  readonly what: 'proxy port' | 'reservation'
  /** The kernel's error, e.g. EADDRINUSE. */
  readonly code: string
}

/**
 * The orders to the process. `localAddresses` are the node's: a Service address among them is reserved. At the start
 * none is known.
 */
export function portalOrders(
  family: IpFamily,
  { place, portals }: Portals,
  localAddresses: readonly string[] = [],
): PortalOrders {
  const every = family === 'IPv4' ? '0.0.0.0' : '::'
  return {
    family,
    portals: portals.map(({ port, proxyPort, endpoints }) => ({
      key: port.key,
      protocol: port.protocol === 'UDP' ? 'udp' : 'tcp',
      listen: { address: place.bindAddress, port: proxyPort },
      reservations: [
        ...[...port.externalIPs, ...port.loadBalancerVIPs]
          .filter((address) => localAddresses.includes(address))
          .map((address) => ({ address, port: port.port })),
        ...(port.nodePort === 0 ? [] : [{ address: every, port: port.nodePort }]),
      ],
      affinitySeconds: port.affinitySeconds,
      endpoints,
    })),
  }
}

/** The portals without the addresses and node ports that could not be reserved: these get no rules. */
export function withoutRefused(portals: Portals, refused: readonly PortRefused[]): Portals {
  const of = (key: string) => refused.filter((one) => one.key === key && one.what === 'reservation')
  return {
    ...portals,
    portals: portals.portals.map((portal) => {
      const { port } = portal
      const own = of(port.key)
      const free = (address: string) => !own.some((one) => one.address === address && one.port === port.port)
      return own.length === 0
        ? portal
        : {
            ...portal,
            port: {
              ...port,
              externalIPs: port.externalIPs.filter(free),
              loadBalancerVIPs: port.loadBalancerVIPs.filter(free),
              nodePort: own.some((one) => one.port === port.nodePort) ? 0 : port.nodePort,
            },
          }
    }),
  }
}
