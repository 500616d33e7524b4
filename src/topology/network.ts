import { parseNetwork } from '../net/address.js'
import type { InterfaceAddress } from './types.js'

/**
 * The network of a lab as data: what `ip -batch` and `bridge -batch` build (see ipBatch.ts). `netns` is undefined for the
 * sandbox's first namespace, where the fabric is.
 */
export interface Network {
  readonly links: readonly Link[]
  readonly devices: readonly Device[]
  readonly ports: readonly BridgePort[]
  readonly neighbours: readonly Neighbour[]
  readonly routes: readonly Route[]
  readonly forwarding: readonly ForwardingEntry[]
}

/** One end of a link, in its namespace. Indexes are interface indexes; without one the kernel chooses. */
export interface LinkEnd {
  readonly netns: string | undefined
  readonly name: string
  readonly index?: number | undefined
  readonly mac?: string | undefined
  /** Bytes. */
  readonly mtu?: number | undefined
  /** It passes no packets. */
  readonly down?: true | undefined
  /** It answers no ARP (the flag NOARP). */
  readonly silent?: true | undefined
}

/** A link: a bridge, both ends of a veth pair, or the device of a tunnel. */
export interface Link extends LinkEnd {
  readonly type:
    | { readonly kind: 'bridge' }
    | { readonly kind: 'veth'; readonly peer: LinkEnd }
    | {
        readonly kind: 'vxlan'
        readonly id: number
        /** The node's address that tunnel packets have. */
        readonly local: string
        readonly device: string
        readonly port: number
      }
}

/** A device to set up, with its addresses. */
export interface Device {
  readonly netns: string | undefined
  readonly name: string
  /** Its link-local address; `none` for no address. The kernel chooses one if it is undefined. */
  readonly linkLocal?: string | undefined
  readonly addresses: readonly InterfaceAddress[]
}

/** A device that is a port of a bridge in its namespace, and goes up as one. */
export interface BridgePort {
  readonly netns: string | undefined
  readonly device: string
  readonly bridge: string
  /** Whether the bridge sends frames back through the port that they came from; undefined where it is not known. */
  readonly hairpin: boolean | undefined
}

/** A permanent neighbour: its packets need no ARP or neighbour discovery. */
export interface Neighbour {
  /** Undefined for the sandbox's first namespace, as everywhere here. */
  readonly netns: string | undefined
  readonly address: string
  readonly mac: string
  readonly device: string
  /** The kernel has learned it, and asks again when packets to it stay without an answer. */
  readonly learned?: true | undefined
}

/** What happens to packets on a route (ip-route(8)); `unknown` is a route that is not followed here, such as one with several next hops. */
export type RouteKind =
  'unicast' | 'local' | 'broadcast' | 'blackhole' | 'unreachable' | 'prohibit' | 'throw' | 'unknown'

/** A route of a namespace. */
export interface Route {
  readonly netns: string | undefined
  /** `default`, a range, or an address. */
  readonly to: string
  /** The next hop; none for what is on the link itself. */
  readonly via?: string | undefined
  /** Empty for a route that leads nowhere, such as a blackhole. */
  readonly device: string
  /** The next hop is on the link although no address of the device covers it. */
  readonly onlink?: boolean | undefined
  /** `unicast` by default. */
  readonly kind?: RouteKind | undefined
  /** The table: `main` by default. */
  readonly table?: string | undefined
  /** Of routes for one range, the kernel takes the one with the lowest metric; 0 by default. */
  readonly metric?: number | undefined
  /** The source address of the host's own packets; by default one of the device. */
  readonly source?: string | undefined
}

/** The address to which a VXLAN device sends frames for a MAC address. */
export interface ForwardingEntry {
  readonly netns: string
  readonly mac: string
  readonly device: string
  readonly to: string
}

/** Merges networks, in this order. */
export function together(networks: readonly Partial<Network>[]): Network {
  return {
    links: networks.flatMap(({ links = [] }) => links),
    devices: networks.flatMap(({ devices = [] }) => devices),
    ports: networks.flatMap(({ ports = [] }) => ports),
    neighbours: networks.flatMap(({ neighbours = [] }) => neighbours),
    routes: networks.flatMap(({ routes = [] }) => routes),
    forwarding: networks.flatMap(({ forwarding = [] }) => forwarding),
  }
}

/** A network with the routes that the kernel adds for addresses: of the table local, and to what is on the links. */
export function withRoutesOfAddresses(network: Network): Network {
  return { ...network, routes: [...routesOfAddresses(network), ...network.routes] }
}

function routesOfAddresses({ devices }: Network): Route[] {
  const places = [...new Set(devices.map(({ netns }) => netns))]
  const local = (netns: string | undefined, to: string): Route => ({
    ...{ netns, to, device: 'lo', kind: 'local', table: 'local' },
  })
  return [
    ...places.flatMap((netns) => [local(netns, '127.0.0.0/8'), local(netns, '::1')]),
    ...devices.flatMap(({ netns, name, addresses }) =>
      addresses.flatMap(({ family, address, prefixLength }): Route[] => {
        const range = parseNetwork(`${address}/${prefixLength}`)?.text
        if (range === undefined) return []
        const isOnLink = prefixLength < bits[family]
        return [local(netns, address), ...(isOnLink ? [{ netns, to: range, device: name }] : [])]
      }),
    ),
  ]
}

const bits = { IPv4: 32, IPv6: 128 } as const
