import { tunnelOverhead } from '../../topology/overlay.js'
import { ephemeralPorts, onePort, type TracedPacket } from '../../snapshot/model/packet.js'
import type { End } from '../model/steps.js'
import type { Links } from '../network/links.js'
import { elsewhere, end } from './ends.js'
import type { Visit } from './visit.js'

/** The device of a tunnel: its network identifier, the address of its host, and the UDP port. */
export interface TunnelEnd {
  readonly id: number
  readonly local: string
  readonly port: number
}

/** A packet that leaves by the device of a tunnel. */
export interface Encapsulated {
  readonly packet: TracedPacket
  readonly device: string
  readonly nextHop: string
}

/** The packet around another one, to the host at the other end of the tunnel; or why there is none. */
export function encapsulated(
  { host, steps }: Visit,
  tunnel: TunnelEnd,
  links: Links,
  { packet, device, nextHop }: Encapsulated,
): { readonly packet: TracedPacket } | { readonly end: End } {
  const name = host.name
  // rules can send the outer packet into a tunnel again
  const nested = `a tunnel in a tunnel is not predicted: ${device} gets its own kind of packet`
  if (packet.inner !== undefined) return { end: end('untraceable', name, nested, 'unknown') }
  const lost = `the tunnel ${device} has no entry for ${nextHop}`
  const to = links.tunnelEnd({ place: name, device }, nextHop)
  if (to === undefined && links.mayBeElsewhere()) return { end: elsewhere(name, lost) }
  if (to === undefined) return { end: end('unreachable', name, lost, 'timeout') }
  steps.push({ kind: 'link', text: `VXLAN ${tunnel.id}: inside a packet to ${to}:${tunnel.port}` })
  return { packet: outerPacket(packet, tunnel, to) }
}

function outerPacket(packet: TracedPacket, { id, local, port }: TunnelEnd, to: string): TracedPacket {
  return {
    family: packet.family,
    protocol: 'udp',
    kind: 'request',
    source: { address: local, port: ephemeralPorts },
    destination: { address: to, port: onePort(port) },
    mark: packet.mark,
    largest: packet.largest === undefined ? undefined : packet.largest + tunnelOverhead[packet.family],
    inner: { tunnel: id, packet },
  }
}
