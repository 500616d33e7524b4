import { identify, type Identity } from './identity.js'
import type { Capture, Packet } from './types.js'

/** One packet as one interface of one namespace saw it, with where that was. */
export interface Sighting {
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  readonly packet: Packet
  /** Source and destination as one text, for comparing. */
  readonly tuple: string
  /** Which capture, and where in it: the order of the file tells what came first where clocks are too coarse. */
  readonly capture: number
  readonly position: number
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
  for (const [index, capture] of captures.entries()) {
    for (const [position, packet] of capture.packets.entries()) {
      const identity = identify(packet)
      const isEnd = packet.tcp !== undefined && (packet.tcp.fin || packet.tcp.rst)
      if (identity === undefined && !isEnd) continue
      if (toMany(packet)) continue
      const sighting = {
        netns: capture.netns,
        interface: capture.interfaces.get(packet.interfaceIndex) ?? `if${packet.interfaceIndex}`,
        direction: packet.type === 'outgoing' ? ('out' as const) : ('in' as const),
        packet,
        tuple: tupleOf(packet),
        capture: index,
        position,
      }
      if (identity !== undefined) telltale.push({ ...sighting, identity })
      if (isEnd) ends.push(sighting)
    }
  }
  return { telltale, ends }
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
  const first = Number.parseInt(address, 10)
  return first >= 224
}
