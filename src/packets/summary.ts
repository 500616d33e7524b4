import type { IcmpHeader, Packet, TransportProtocol } from './types.js'

/** What a packet is, in a few words: `SYN`, `GET /`, `echo request`, `datagram`. */
export function packetSummary({ protocol, tcp, icmp, request, payload }: Packet): string {
  if (request !== undefined) return `${request.method} ${request.target}`
  if (icmp !== undefined) return icmpSummary(protocol, icmp)
  if (tcp === undefined) return protocol === 'udp' ? 'datagram' : protocol
  const [, status] =
    /^(HTTP\/1\.[01] \d{3}[^\r\n]*)/.exec(Buffer.from(payload, 'hex').toString('latin1')) ?? []
  if (status !== undefined) return status
  const flags = (['syn', 'fin', 'rst', 'psh', 'ack'] as const).filter((flag) => tcp[flag])
  return flags.map((flag) => flag.toUpperCase()).join(' ')
}

/** Types and codes of ICMP (RFC 792, RFC 4443). */
function icmpSummary(protocol: TransportProtocol, { type, code }: IcmpHeader): string {
  const names = protocol === 'icmpv6' ? icmpv6Names : icmpNames
  return names[`${type}/${code}`] ?? names[type] ?? `type ${type} code ${code}`
}

const icmpNames: Readonly<Record<string, string>> = {
  0: 'echo reply',
  3: 'destination unreachable',
  '3/0': 'network unreachable',
  '3/1': 'host unreachable',
  '3/3': 'port unreachable',
  '3/4': 'fragmentation needed',
  '3/13': 'administratively prohibited',
  5: 'redirect',
  8: 'echo request',
  11: 'time exceeded',
}

const icmpv6Names: Readonly<Record<string, string>> = {
  1: 'destination unreachable',
  '1/0': 'no route to destination',
  '1/1': 'administratively prohibited',
  '1/3': 'address unreachable',
  '1/4': 'port unreachable',
  2: 'packet too big',
  3: 'time exceeded',
  128: 'echo request',
  129: 'echo reply',
  133: 'router solicitation',
  134: 'router advertisement',
  135: 'neighbor solicitation',
  136: 'neighbor advertisement',
  137: 'redirect',
  143: 'multicast listener report',
}
