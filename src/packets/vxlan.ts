import { type LinkHeader, readEthernet } from './linkLayer.js'
import type { NetworkHeader } from './network.js'
import type { Tunnel } from './types.js'

/** The default port of Linux, which flannel uses, and that of IANA. */
export const vxlanPorts: readonly number[] = [8472, 4789]
const udp = 17
const udpHeader = 8
const vxlanHeader = 8

/** A frame inside a UDP datagram. */
export interface TunnelledFrame {
  readonly tunnel: Tunnel
  readonly link: LinkHeader
}

/** The frame inside a VXLAN packet (RFC 7348); undefined for other packets. */
export function readVxlan(bytes: Buffer, outer: NetworkHeader): TunnelledFrame | undefined {
  const { protocol, laterFragment, offset, end } = outer
  const header = offset + udpHeader
  if (protocol !== udp || laterFragment || header + vxlanHeader > end) return undefined
  const port = bytes.readUInt16BE(offset + 2)
  // exactly one flag is set: the identifier is valid
  if (!vxlanPorts.includes(port) || bytes.readUInt32BE(header) !== 0x0800_0000) return undefined
  const link = readEthernet(bytes, header + vxlanHeader, end)
  if (link === undefined) return undefined
  return {
    link,
    tunnel: {
      protocol: 'vxlan',
      vni: bytes.readUInt32BE(header + 4) >>> 8,
      source: { address: outer.source, port: bytes.readUInt16BE(offset) },
      destination: { address: outer.destination, port },
    },
  }
}
