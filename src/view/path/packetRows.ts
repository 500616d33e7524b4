import { groupBy } from '../../groupBy.js'
import { isGroupAddress } from '../../net/groupAddress.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { TracedSocket } from '../../snapshot/model/packet.js'
import type { LivePacket } from '../live/api.js'
import type { Frame } from './frames.js'

/** Which packets are listed: those to one host by default, because hosts ask for routers and neighbours all the time. */
export type PacketFilter = 'toHosts' | 'request' | 'tcp' | 'udp' | 'icmp' | 'all'

export const packetFilters: readonly PacketFilter[] = ['toHosts', 'request', 'tcp', 'udp', 'icmp', 'all']

/** The sightings of one packet, in order of time. */
export interface PacketRow {
  readonly first: LivePacket
  readonly last: LivePacket
  readonly seen: readonly LivePacket[]
}

/** Packets by what they are, the newest first; they are given newest first, too. */
export function packetRows(
  packets: readonly LivePacket[],
  filter: PacketFilter,
  frames: readonly Frame[],
): PacketRow[] {
  const wanted = packets.filter((packet) => isWanted(packet, filter, frames))
  return [...groupBy(wanted, ({ packet }) => packet).values()].flatMap((own) => {
    const seen = own.toReversed()
    const [first] = seen
    const last = seen.at(-1)
    return first === undefined || last === undefined ? [] : [{ first, last, seen }]
  })
}

function isWanted(packet: LivePacket, filter: PacketFilter, frames: readonly Frame[]): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'toHosts':
      return !isGroupAddress(packet.destination.address) && !isDiscovery(packet)
    case 'request':
      return frames.some(({ before, after }) => isOf(packet, before) || isOf(packet, after))
    case 'icmp':
      return packet.protocol === 'icmp' || packet.protocol === 'icmpv6'
    default:
      return packet.protocol === filter
  }
}

/** Neighbour and router discovery (RFC 4861). */
function isDiscovery({ protocol, summary }: LivePacket): boolean {
  return protocol === 'icmpv6' && /neighbou?r|router/.test(summary)
}

/** Whether a packet is of a connection, in either direction. */
function isOf(
  { source, destination }: LivePacket,
  tuple: { readonly source: TracedSocket; readonly destination: TracedSocket },
): boolean {
  return (
    (fits(source, tuple.source) && fits(destination, tuple.destination)) ||
    (fits(source, tuple.destination) && fits(destination, tuple.source))
  )
}

function fits({ address, port }: SocketAddress, known: TracedSocket): boolean {
  if (address !== known.address) return false
  return (
    port === undefined || known.port === undefined || (known.port.first <= port && port <= known.port.last)
  )
}
