import { networkHolds, parseNetwork, type Network as AddressRange } from '../../net/address.js'
import type { Device, LinkEnd, Neighbour, Network } from '../../topology/network.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import { familyOf } from '../../net/ipFamily.js'
import { tunnelOverhead } from '../../topology/overlay.js'
import type { Host } from './host.js'

/** An interface of a namespace. */
export interface Interface {
  readonly place: string
  readonly device: string
}

/** A bridge that a frame crosses, with the ports by which it enters and leaves. */
export interface Crossing {
  readonly place: string
  readonly bridge: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** An interface that a frame can reach, and the bridges on the way. */
export interface Reached extends Interface {
  readonly crossed: readonly Crossing[]
}

type Tunnel = Extract<Network['links'][number]['type'], { readonly kind: 'vxlan' }>

const ethernetMtu = 1500
const loopbackMtu = 65_536

/** The links between namespaces: veth pairs, bridges with their ports, tunnels. */
export class Links {
  readonly #peers = new Map<string, Interface>()
  readonly #bridges = new Map<string, { readonly bridge: string; readonly hairpin: boolean | undefined }>()
  readonly #ports = new Map<string, Interface[]>()
  readonly #macs = new Map<string, string>()
  readonly #mtus = new Map<string, number>()
  readonly #down = new Set<string>()
  readonly #mute = new Set<string>()
  /** What `mtuOf` has found. */
  readonly #knownMtus = new Map<string, number>()
  /** The tunnels behind devices. */
  readonly #tunnels = new Map<string, Tunnel>()
  readonly #neighbours: ReadonlyMap<string, Neighbour>
  readonly #announced: ReadonlyMap<string, readonly Interface[]>
  readonly #silent: ReadonlyMap<string, AddressRange>
  readonly #network: Network
  readonly #isOpen: boolean
  /** What `neighbours` has found. */
  readonly #found = new Map<string, readonly Reached[]>()
  /** What `#allReachable` has found. */
  readonly #reached = new Map<string, readonly Reached[]>()

  constructor({
    network,
    announced,
    silent = new Map(),
  }: Pick<TraceState, 'network' | 'announced' | 'silent'>) {
    this.#network = network
    this.#isOpen = network.routes.some(({ netns, kind }) => netns === undefined && kind === 'unknown')
    this.#silent = new Map(
      [...silent].flatMap(([place, range]) => {
        const parsed = parseNetwork(range)
        return parsed === undefined ? [] : [[place, parsed] as const]
      }),
    )
    for (const link of network.links) {
      const end = { place: placeName(link.netns), device: link.name }
      if (link.mtu !== undefined) this.#mtus.set(interfaceKey(end), link.mtu)
      if (link.mac !== undefined) this.#macs.set(interfaceKey(end), link.mac)
      if (link.type.kind === 'vxlan') this.#tunnels.set(interfaceKey(end), link.type)
      if (link.down === true) this.#down.add(interfaceKey(end))
      if (link.silent === true) this.#mute.add(interfaceKey(end))
      if (link.type.kind !== 'veth') continue
      const peer = { place: placeName(link.type.peer.netns), device: link.type.peer.name }
      if (link.type.peer.mtu !== undefined) this.#mtus.set(interfaceKey(peer), link.type.peer.mtu)
      if (link.type.peer.mac !== undefined) this.#macs.set(interfaceKey(peer), link.type.peer.mac)
      if (link.type.peer.down === true) this.#down.add(interfaceKey(peer))
      if (link.type.peer.silent === true) this.#mute.add(interfaceKey(peer))
      if (link.down === true || link.type.peer.down === true) continue
      this.#peers.set(interfaceKey(end), peer).set(interfaceKey(peer), end)
    }
    for (const { netns, device, bridge, hairpin } of network.ports) {
      const port = { place: placeName(netns), device }
      this.#bridges.set(interfaceKey(port), { bridge, hairpin })
      const own = interfaceKey({ ...port, device: bridge })
      this.#ports.set(own, [...(this.#ports.get(own) ?? []), port])
    }
    this.#neighbours = new Map(
      network.neighbours.map((one) => [`${placeName(one.netns)} ${one.device} ${one.address}`, one]),
    )
    const byAddress = new Map<string, Interface[]>()
    for (const { netns, device, address } of announced)
      byAddress.set(address, [...(byAddress.get(address) ?? []), { place: netns, device }])
    this.#announced = byAddress
  }

  /** The interfaces that possibly get a frame for a next hop: several if several hosts answer for the address, none if no host does. */
  neighbours(from: Interface, nextHop: string, hostOf: (name: string) => Host): readonly Reached[] {
    const key = `${from.place} ${from.device} ${nextHop}`
    const found = this.#found.get(key) ?? this.#neighboursAt(key, from, nextHop, hostOf)
    this.#found.set(key, found)
    return found
  }

  #neighboursAt(
    key: string,
    from: Interface,
    nextHop: string,
    hostOf: (name: string) => Host,
  ): readonly Reached[] {
    const known = this.#neighbours.get(key)
    // how long the kernel uses a neighbour that it has learned, and that is not there, is not known: see `learnedMac`
    if (known !== undefined) {
      const isKnown = (one: Interface) => this.#macs.get(interfaceKey(one)) === known.mac
      return this.#ports.has(interfaceKey(from))
        ? this.#allReachable(from).filter(isKnown)
        : this.#reachable(from, isKnown)
    }
    const others = this.#allReachable(from).filter(({ place }) => place !== from.place)
    const isAnnounced = (one: Reached) =>
      this.#announced.get(nextHop)?.some((own) => interfaceKey(own) === interfaceKey(one)) === true
    return others.filter((one) => isAnnounced(one) || this.#answers(one, nextHop, hostOf(one.place)))
  }

  /** The MAC address of a permanent neighbour, to which frames go without a question. */
  fixedMac(from: Interface, nextHop: string): string | undefined {
    const known = this.#neighbours.get(`${from.place} ${from.device} ${nextHop}`)
    return known?.learned === true ? undefined : known?.mac
  }

  /** The MAC address of a neighbour that the kernel has learned. */
  learnedMac(from: Interface, nextHop: string): string | undefined {
    const known = this.#neighbours.get(`${from.place} ${from.device} ${nextHop}`)
    return known?.learned === true ? known.mac : undefined
  }

  /** Whether a host of which nothing was attached can have an address: where the router leads is not known, and no interface has it. */
  mayBeElsewhere(address?: string): boolean {
    return this.#isOpen && !(address !== undefined && this.#ownerOf(address) !== undefined)
  }

  #ownerOf(address: string): Device | undefined {
    return this.#network.devices.find((one) => one.addresses.some((own) => own.address === address))
  }

  /** The interface that has an address, if it is down. */
  downWith(address: string): Interface | undefined {
    const owner = this.#ownerOf(address)
    if (owner === undefined) return undefined
    const own = { place: placeName(owner.netns), device: owner.name }
    return this.isDown(own) ? own : undefined
  }

  /** Whether an interface is down, or has a cable whose other end is. */
  isDown(at: Interface): boolean {
    const isOwn = ({ netns, name }: LinkEnd) =>
      interfaceKey({ place: placeName(netns), device: name }) === interfaceKey(at)
    return this.#network.links.some(({ type, ...link }) => {
      const ends: readonly LinkEnd[] = type.kind === 'veth' ? [link, type.peer] : [link]
      return ends.some(isOwn) && ends.some(({ down }) => down === true)
    })
  }

  /** Whether a host answers ARP or neighbour discovery for its address: IPv4 for addresses of all its interfaces by default. */
  #answers({ place, device }: Interface, address: string, host: Host): boolean {
    if (!host.isLocal(address)) return false
    const isOwn = host.isLocal(address, device)
    if (address.includes(':')) return isOwn || host.addresses.every((own) => own.address !== address)
    if (this.#mute.has(interfaceKey({ place, device }))) return false
    const silent = this.#silent.get(place)
    if (silent !== undefined && networkHolds(silent, address)) return false
    const ignore = Math.max(...['all', device].map((name) => host.sysctl(`net.ipv4.conf.${name}.arp_ignore`)))
    return ignore === 0 || (isOwn && ignore < 8)
  }

  /** The MTU of an interface in bytes: 1500 by default, without what a tunnel adds, and the smallest of its ports for a bridge. */
  mtuOf(at: Interface): number {
    const key = interfaceKey(at)
    const mtu = this.#knownMtus.get(key) ?? this.#mtus.get(key) ?? this.#defaultMtu(at)
    this.#knownMtus.set(key, mtu)
    return mtu
  }

  #defaultMtu(at: Interface): number {
    if (at.device === 'lo') return loopbackMtu
    const tunnel = this.tunnel(at)
    if (tunnel !== undefined)
      return this.mtuOf({ ...at, device: tunnel.device }) - tunnelOverhead[familyOf(tunnel.local)]
    const ports = this.#ports.get(interfaceKey(at)) ?? []
    return Math.min(ethernetMtu, ...ports.map((port) => this.#mtus.get(interfaceKey(port)) ?? ethernetMtu))
  }

  /** Whether a bridge sends frames back through the port that they came from; undefined where it is not known. */
  isHairpin(place: string, port: string): boolean | undefined {
    return this.#bridges.get(interfaceKey({ place, device: port }))?.hairpin
  }

  /** Whether an interface belongs to the lab’s network. */
  isKnown({ place, device }: Interface): boolean {
    return this.#network.devices.some((one) => placeName(one.netns) === place && one.name === device)
  }

  /** The tunnel behind a device; undefined for other devices. */
  tunnel(device: Interface): Tunnel | undefined {
    return this.#tunnels.get(interfaceKey(device))
  }

  /** The address of the tunnel's other end for a next hop. */
  tunnelEnd({ place, device }: Interface, nextHop: string): string | undefined {
    const mac = this.#neighbours.get(`${place} ${device} ${nextHop}`)?.mac
    return this.#network.forwarding.find(
      (entry) => entry.netns === place && entry.device === device && entry.mac === mac,
    )?.to
  }

  /** The tunnel device of a host that decapsulates packets of a network identifier and port. */
  tunnelDevice(place: string, id: number, port: number): string | undefined {
    return this.#network.links.find(
      ({ netns, type }) =>
        placeName(netns) === place && type.kind === 'vxlan' && type.id === id && type.port === port,
    )?.name
  }

  #allReachable(from: Interface): readonly Reached[] {
    const key = interfaceKey(from)
    const reached = this.#reached.get(key) ?? this.#reachable(from, () => true)
    this.#reached.set(key, reached)
    return reached
  }

  /** The wanted ones of the interfaces that get a frame to all. */
  #reachable(from: Interface, isWanted: IsWanted): readonly Reached[] {
    return this.#ports.has(interfaceKey(from))
      ? this.#behind(from.place, from.device, undefined, [], isWanted)
      : this.#across(from, () => [], isWanted)
  }

  /** What is at the other end of a cable. */
  #across(end: Interface, crossed: () => readonly Crossing[], isWanted: IsWanted): readonly Reached[] {
    const peer = this.#peers.get(interfaceKey(end))
    if (peer === undefined) return []
    const port = this.#bridges.get(interfaceKey(peer))
    if (port === undefined) return isWanted(peer) ? [{ ...peer, crossed: crossed() }] : []
    const bridge = { place: peer.place, device: port.bridge }
    const own = { place: peer.place, bridge: port.bridge, from: peer.device }
    return [
      ...(isWanted(bridge) ? [{ ...bridge, crossed: [...crossed(), own] }] : []),
      ...this.#behind(peer.place, port.bridge, peer.device, crossed(), isWanted),
    ]
  }

  /** What is behind the ports of a bridge, that of the frame included. */
  #behind(
    place: string,
    bridge: string,
    from: string | undefined,
    crossed: readonly Crossing[],
    isWanted: IsWanted,
  ): readonly Reached[] {
    const isCrossed = crossed.some((one) => one.place === place && one.bridge === bridge)
    if (isCrossed || this.#down.has(interfaceKey({ place, device: bridge }))) return []
    return (this.#ports.get(interfaceKey({ place, device: bridge })) ?? []).flatMap((port) =>
      this.#across(port, () => [...crossed, { place, bridge, from, to: port.device }], isWanted),
    )
  }
}

/** Whether an interface is looked for. */
type IsWanted = (at: Interface) => boolean

/** The name of a namespace in a prediction. */
export function placeName(netns: string | undefined): string {
  return netns ?? fabricPlace
}

function interfaceKey({ place, device }: Interface): string {
  return `${place} ${device}`
}
