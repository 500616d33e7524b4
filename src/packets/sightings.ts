import { identify, type Identity } from './identity.js'
import type { Capture, Packet } from './types.js'

/** One packet as one interface of one namespace saw it, with where that was. */
export interface Sighting {
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  readonly packet: Packet
  /** Which capture, and where in it: the order of the file tells what came first where clocks are too coarse. */
  readonly capture: number
  readonly position: number
  /** Undefined for the end of a connection, which by itself opens, answers or refuses nothing. */
  readonly identity: Identity | undefined
}

/** A sighting of a packet that opens, answers or refuses a flow. */
export interface TelltaleSighting extends Sighting {
  readonly identity: Identity
}

/** The sightings that flows are made of: telltale packets, and the ends (FIN, RST) of TCP connections. */
export interface Sightings {
  readonly telltale: readonly TelltaleSighting[]
  readonly ends: readonly Sighting[]
}

/** Picks out of captures what matters for flows; broadcasts and multicasts do not. */
export function sightingsOf(captures: readonly Capture[]): Sightings {
  const telltale: TelltaleSighting[] = []
  const ends: Sighting[] = []
  for (const [index, { netns, packets, interfaces }] of captures.entries()) {
    for (const [position, packet] of packets.entries()) {
      const identity = identify(packet)
      const isEnd = packet.tcp !== undefined && (packet.tcp.fin || packet.tcp.rst)
      if ((identity === undefined && !isEnd) || toMany(packet)) continue
      const name = interfaces.get(packet.interfaceIndex) ?? `if${packet.interfaceIndex}`
      const direction = packet.type === 'outgoing' ? 'out' : 'in'
      const place = { netns, interface: name, direction, packet, capture: index, position, identity } as const
      if (isTelltale(place)) telltale.push(place)
      if (isEnd) ends.push(place)
    }
  }
  return { telltale, ends }
}

function isTelltale(sighting: Sighting): sighting is TelltaleSighting {
  return sighting.identity !== undefined
}

/** True when both sightings have the same source, or the same destination. */
export function sameSocket(a: Sighting, b: Sighting, side: 'source' | 'destination'): boolean {
  const one = a.packet[side]
  const other = b.packet[side]
  return one.address === other.address && one.port === other.port
}

/** True when nothing was rewritten between two sightings of a packet. */
export function sameTuple(a: Sighting, b: Sighting): boolean {
  return sameSocket(a, b, 'source') && sameSocket(a, b, 'destination')
}

/** Source and destination with their ports as one text. */
export function tupleOf({ source, destination }: Pick<Packet, 'source' | 'destination'>): string {
  return `${source.address} ${source.port ?? ''} ${destination.address} ${destination.port ?? ''}`
}

/** The tuple of what answers a packet of this tuple. */
export function answeringTuple({ source, destination }: Pick<Packet, 'source' | 'destination'>): string {
  return tupleOf({ source: destination, destination: source })
}

function toMany({ type, destination: { address } }: Packet): boolean {
  if (type === 'broadcast' || type === 'multicast') return true
  if (address.includes(':')) return address.startsWith('ff')
  // 224.0.0.0 and above: multicast, reserved, broadcast.
  return address.length > 8 && address.charCodeAt(0) === 50 && Number.parseInt(address, 10) >= 224
}
