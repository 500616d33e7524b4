import { tunnelOverhead } from '../../topology/overlay.js'
import { ephemeralPorts, onePort, type TracedPacket } from '../model/packet.js'

/** The device of a tunnel: its network identifier, the address of its host, and the UDP port. */
export interface TunnelEnd {
  readonly id: number
  readonly local: string
  readonly port: number
}

/** The packet around another one, to the host at the other end of the tunnel. */
export function outerPacket(packet: TracedPacket, { id, local, port }: TunnelEnd, to: string): TracedPacket {
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
