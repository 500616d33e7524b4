import { isGroupAddress } from '../net/groupAddress.js'
import { identify, type Identity } from './identity.js'
import type { Capture, Packet } from './types.js'

/** One packet as captured on one interface of one namespace. */
export interface Sighting {
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  readonly packet: Packet
  /** The capture and the position in it: the order of the file decides if the clock is too coarse. */
  readonly capture: number
  readonly position: number
  /** Undefined for the end of a connection, which does not open, answer or reject a flow. */
  readonly identity: Identity | undefined
}

/** A sighting of a packet that opens, answers or rejects a flow. */
export interface IdentifiedSighting extends Sighting {
  readonly identity: Identity
}

/** The sightings that flows are made of: identified packets, and the ends (FIN, RST) of TCP connections. */
export interface Sightings {
  readonly identified: readonly IdentifiedSighting[]
  readonly ends: readonly Sighting[]
}

/** The sightings in captures that matter for flows; broadcasts and multicasts do not. */
export function sightingsOf(captures: readonly Capture[]): Sightings {
  const identified: IdentifiedSighting[] = []
  const ends: Sighting[] = []
  for (const [index, { netns, packets, interfaces }] of captures.entries()) {
    for (const [position, packet] of packets.entries()) {
      const identity = identify(packet)
      const isEnd = packet.tcp !== undefined && (packet.tcp.fin || packet.tcp.rst)
      if ((identity === undefined && !isEnd) || isToGroup(packet)) continue
      const name = interfaces.get(packet.interfaceIndex) ?? `if${packet.interfaceIndex}`
      const direction = packet.type === 'outgoing' ? 'out' : 'in'
      const place = { netns, interface: name, direction, packet, capture: index, position, identity } as const
      if (isIdentified(place)) identified.push(place)
      if (isEnd) ends.push(place)
    }
  }
  return { identified, ends }
}

function isIdentified(sighting: Sighting): sighting is IdentifiedSighting {
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

/** The tuple of a reply to a packet. */
export function answeringTuple({ source, destination }: Pick<Packet, 'source' | 'destination'>): string {
  return tupleOf({ source: destination, destination: source })
}

function isToGroup({ type, destination: { address } }: Packet): boolean {
  if (type === 'broadcast' || type === 'multicast') return true
  return isGroupAddress(address)
}
