import type { Range } from '../../netfilter/rules/formats.js'
import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import type { IcmpHeader, TracedPacket } from '../../snapshot/model/packet.js'
import type { Holds } from '../model/steps.js'
import { all, no, said, unknown, yes, type Answer } from './answer.js'

/** The ports of a packet. */
export function ports(
  {
    sport,
    dport,
  }: { readonly sport?: Negatable<Range> | undefined; readonly dport?: Negatable<Range> | undefined },
  { source, destination }: TracedPacket,
): Answer {
  return all(port(sport, source.port, 'source'), () => port(dport, destination.port, 'destination'))
}

/** Whether a port is in the range of an option. */
export function port(field: Negatable<Range> | undefined, own: Range | undefined, side: string): Answer {
  if (field === undefined) return yes
  if (own === undefined) return no('the packet has no ports')
  return negated(field, overlap(field.value, own), `${side} port is ${portText(own)}`)
}

/** Several ports or ranges. */
export function multiport(
  match: Extract<Match, { readonly kind: 'multiport' }>,
  packet: TracedPacket,
): Answer {
  const { source, destination } = packet
  if (source.port === undefined || destination.port === undefined) return no('the packet has no ports')
  const any = (
    field: Negatable<readonly Range[]> | undefined,
    own: readonly (readonly [string, Range])[],
  ) => {
    if (field === undefined) return yes
    const found = field.value.flatMap((range) => own.map(([, one]) => overlap(range, one)))
    const text = own.map(([side, one]) => `${side} port is ${portText(one)}`).join(', ')
    return negated(field, found.includes('yes') ? 'yes' : found.includes('unknown') ? 'unknown' : 'no', text)
  }
  const from = ['source', source.port] as const
  const to = ['destination', destination.port] as const
  return all(any(match.sports, [from]), () =>
    all(any(match.dports, [to]), () => any(match.ports, [from, to])),
  )
}

/** Whether a port that can be several is in a range. */
export function overlap(range: Range, own: Range): Holds {
  if (own.first >= range.first && own.last <= range.last) return 'yes'
  return own.last < range.first || own.first > range.last ? 'no' : 'unknown'
}

function negated(field: Negatable<unknown>, holds: Holds, because: string): Answer {
  return holds === 'unknown' ? unknown(because) : said(field, holds === 'yes', because)
}

/** `80`, `one of 1024-65535` */
export function portText({ first, last }: Range): string {
  return first === last ? String(first) : `one of ${first}-${last}`
}

/** The flags of the first segment, or of the one that answers it. */
export function flags(
  field: Extract<Match, { readonly kind: 'tcp' }>['tcpFlags'],
  packet: TracedPacket,
): Answer {
  if (field === undefined) return yes
  const own = tcpFlagsOf(packet)
  const { mask, set } = field.value
  const masked = own.filter((flag) => mask.includes(flag))
  const same = masked.length === set.length && masked.every((flag) => set.includes(flag))
  return said(field, same, `its flags are ${own.join(',')}`)
}

/** The flags of TCP that a packet has. */
export function tcpFlagsOf({ kind, later }: TracedPacket): readonly string[] {
  if (later !== undefined) return later === 'ack' ? ['ACK'] : ['PSH', 'ACK']
  return { request: ['SYN'], answer: ['SYN', 'ACK'], reset: ['RST', 'ACK'], error: [] }[kind]
}

/** Type and code of an echo request, of a reply, or of an error. */
export function icmpHeader({ icmp: header, kind, family }: TracedPacket): IcmpHeader {
  if (header !== undefined) return header
  const [request, reply] = family === 'IPv4' ? [8, 0] : [128, 129]
  return { type: kind === 'request' ? request : reply, code: 0 }
}

/** The type of a message of ICMP. */
export function icmp(
  field: Extract<Match, { readonly kind: 'icmp' }>['icmpType'],
  packet: TracedPacket,
  family: TracedPacket['family'],
): Answer {
  if (packet.protocol !== 'icmp' || packet.family !== family) return no(`the protocol is ${packet.protocol}`)
  const { type, code } = icmpHeader(packet)
  const { value } = field
  return said(
    field,
    value === 'any' || (value.type === type && (value.code ?? code) === code),
    `its type is ${type}`,
  )
}
