import { integer, list, range, ranges } from '../formats.js'
import { negatable, required, type Format, type Options } from '../option.js'

/** Flags to check, and which of them must be set. */
export interface TcpFlags {
  readonly mask: readonly string[]
  readonly set: readonly string[]
}

const tcpFlags: Format<TcpFlags> = {
  words: 2,
  read: (mask, set) => ({ mask: flagNames(mask), set: flagNames(set) }),
  print: ({ mask, set }) => `${flagText(mask)} ${flagText(set)}`,
}

function flagNames(text: string): readonly string[] {
  return text === 'NONE' ? [] : text.split(',')
}

function flagText(names: readonly string[]): string {
  return names.length === 0 ? 'NONE' : names.join(',')
}

/** `all`, `any` or `only`, and the chunk types, with their flags. */
const chunkTypes: Format<{ readonly quantifier: string; readonly types: readonly string[] }> = {
  words: 2,
  read: (quantifier, types) => ({ quantifier, types: types.split(',') }),
  print: ({ quantifier, types }) => `${quantifier} ${types.join(',')}`,
}

/** A type of ICMP, with a code or any. */
export interface IcmpType {
  readonly type: number
  readonly code?: number
}

const icmpType: Format<IcmpType | 'any'> = {
  words: 1,
  read(text) {
    if (text === 'any') return text
    const [, type, code] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? []
    if (type === undefined) return undefined
    return { type: Number(type), ...(code === undefined ? {} : { code: Number(code) }) }
  },
  print(of) {
    if (of === 'any') return of
    return of.code === undefined ? String(of.type) : `${of.type}/${of.code}`
  },
}

/** Ports of one protocol. */
const ports = { sport: negatable(range), dport: negatable(range) }

/** Matches on the header of the transport protocol; iptables-extensions(8): tcp, udp, sctp, dccp, icmp, icmp6, multiport, tcpmss. */
export const transportMatches = {
  tcp: { ...ports, tcpOption: negatable(integer), tcpFlags: negatable(tcpFlags) },
  udp: ports,
  sctp: { ...ports, chunkTypes: negatable(chunkTypes) },
  dccp: { ...ports, dccpTypes: negatable(list), dccpOption: negatable(integer) },
  icmp: { icmpType: required(negatable(icmpType)) },
  icmp6: { icmpv6Type: required(negatable(icmpType)) },
  /** Up to 15 ports; a range counts as two. */
  multiport: { sports: negatable(ranges), dports: negatable(ranges), ports: negatable(ranges) },
  tcpmss: { mss: required(negatable(range)) },
} as const satisfies Readonly<Record<string, Options>>
