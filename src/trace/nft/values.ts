import type { NftExpression } from '../../netfilter/nft/model.js'
import type { Range } from '../../netfilter/rules/formats.js'
import { tracedSocketText, type TracedPacket, type TracedSocket } from '../../snapshot/model/packet.js'
import { icmpHeader, portText, tcpFlagsOf } from '../rules/matchTransport.js'
import type { Seen } from '../rules/seen.js'
import { ctStates } from '../walk/connection.js'

/** What an expression reads from a packet. `says` is for people: `source is 10.0.0.1`. */
export type NftValue = { readonly says: string } &
  /** An address, a name, or a number in decimal. */
  (
    | { readonly kind: 'one'; readonly text: string }
    /** A port that can be several. */
    | { readonly kind: 'range'; readonly range: Range }
    /** Of the flags in `known`; `open` if it has others too that are not known. */
    | {
        readonly kind: 'flags'
        readonly flags: readonly string[]
        readonly known: readonly string[]
        readonly open?: true
      }
    | { readonly kind: 'parts'; readonly parts: readonly NftValue[] }
    | Extract<NftExpression, { readonly kind: 'numgen' }>
    /** The packet has no such field: the rule does not apply. */
    | { readonly kind: 'absent' }
    | { readonly kind: 'unknown' }
  )

/** The value of an expression other than a map, a set or a literal with several words. */
export function valueOf(expression: NftExpression, seen: Seen): NftValue {
  switch (expression.kind) {
    case 'payload':
      return payload(expression, seen)
    case 'meta':
      return meta(expression.key, seen)
    case 'ct':
      return connection(expression, seen)
    case 'fib':
      return fib(expression, seen)
    case 'numgen':
      return { ...expression, says: `numgen ${expression.mode}` }
    case 'binary':
      return binary(expression, seen)
    case 'concat': {
      const parts = expression.parts.map((part) => valueOf(part, seen))
      return { kind: 'parts', parts, says: parts.map(({ says }) => says).join(', ') }
    }
    case 'literal': {
      const [word = ''] = expression.words
      if (expression.words.length > 1) return unknown('several values')
      return one(/^0x/.test(word) ? String(Number(word)) : word.replaceAll('"', ''), word)
    }
    default:
      return unknown('this expression is not predicted')
  }
}

function one(text: string, says: string): NftValue {
  return { kind: 'one', text, says }
}

function absent(says: string): NftValue {
  return { kind: 'absent', says }
}

function unknown(says: string): NftValue {
  return { kind: 'unknown', says }
}

function payload(
  { protocol, field }: Extract<NftExpression, { readonly kind: 'payload' }>,
  seen: Seen,
): NftValue {
  const { packet } = seen
  const side = field.startsWith('s') ? 'source' : 'destination'
  if (protocol === 'ip' || protocol === 'ip6') {
    if ((protocol === 'ip') !== (packet.family === 'IPv4')) return absent(`the packet is ${packet.family}`)
    if (field === 'saddr' || field === 'daddr')
      return one(packet[side].address, `${side} is ${packet[side].address}`)
    if (field === 'protocol' || field === 'nexthdr') return transport(seen)
    const isTtl = field === 'ttl' || field === 'hoplimit'
    if (isTtl && packet.ttl !== undefined) return one(String(packet.ttl), `its time to live is ${packet.ttl}`)
    return unknown(`${protocol} ${field} is not predicted`)
  }
  const own = packet.protocol === 'icmp' ? (packet.family === 'IPv4' ? 'icmp' : 'icmpv6') : packet.protocol
  if (protocol !== 'th' && protocol !== own) return absent(`the protocol is ${packet.protocol}`)
  if (field === 'sport' || field === 'dport')
    return packet.protocol === 'icmp' ? icmpBytes(field, seen) : port(packet[side], side)
  if (field === 'flags') {
    const flags = tcpFlagsOf(packet).map((flag) => flag.toLowerCase())
    return { kind: 'flags', flags, known: tcpFlags, says: `its flags are ${flags.join(',')}` }
  }
  if (field === 'type' && packet.protocol === 'icmp') {
    const type = icmpTypeName(packet)
    return one(type, `its type is ${type}`)
  }
  return unknown(`${protocol} ${field} is not predicted`)
}

/** The flags of TCP, from the lowest bit. */
export const tcpFlags = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ecn', 'cwr'] as const

/** Without a protocol, nft reads the bytes where others have ports: of ICMP its type and code, and its checksum. */
function icmpBytes(field: 'sport' | 'dport', { packet }: Seen): NftValue {
  if (field === 'dport')
    return { kind: 'range', range: { first: 0, last: 0xffff }, says: 'ICMP has its checksum there' }
  const { type, code } = icmpHeader(packet)
  return one(String((type << 8) | code), `ICMP has its type and code there: ${type} and ${code}`)
}

/** As nft names the type. */
function icmpTypeName(packet: TracedPacket): string {
  const { type } = icmpHeader(packet)
  const names: Readonly<Record<number, string>> =
    packet.family === 'IPv4'
      ? { 0: 'echo-reply', 3: 'destination-unreachable', 8: 'echo-request', 11: 'time-exceeded' }
      : {
          ...{ 1: 'destination-unreachable', 3: 'time-exceeded', 4: 'parameter-problem' },
          ...{ 128: 'echo-request', 129: 'echo-reply' },
        }
  return names[type] ?? String(type)
}

function port(socket: TracedSocket, side: string): NftValue {
  const range = socket.port
  if (range === undefined) return absent('the packet has no ports')
  const says = `${side} port is ${portText(range)}`
  return range.first === range.last ? one(String(range.first), says) : { kind: 'range', range, says }
}

function transport({ packet }: Seen): NftValue {
  const { protocol, family } = packet
  const text = protocol === 'icmp' && family === 'IPv6' ? 'ipv6-icmp' : protocol
  return one(text, `the protocol is ${text}`)
}

function meta(key: string, seen: Seen): NftValue {
  const { packet } = seen
  // where there is no interface, its name is empty
  const device = (name = '') => one(name, name === '' ? 'no interface here' : `the interface is ${name}`)
  switch (key) {
    case 'mark':
      return one(String(packet.mark), `mark 0x${packet.mark.toString(16)}`)
    case 'l4proto':
      return transport(seen)
    case 'nfproto':
      return one(packet.family.toLowerCase(), `the packet is ${packet.family}`)
    case 'protocol':
      return one(packet.family === 'IPv4' ? 'ip' : 'ip6', `the packet is ${packet.family}`)
    case 'iif':
    case 'iifname':
      return device(seen.in)
    case 'oif':
    case 'oifname':
      return device(seen.out)
    default:
      return unknown(`meta ${key} is not predicted`)
  }
}

function connection(
  { key, direction }: Extract<NftExpression, { readonly kind: 'ct' }>,
  { tracked }: Seen,
): NftValue {
  const states = ctStates(tracked).map((state) => state.toLowerCase())
  if (key === 'state')
    return {
      kind: 'flags',
      flags: states.slice(0, 1),
      known: ['invalid', 'established', 'related', 'new', 'untracked'],
      says: `the state is ${states[0]}`,
    }
  if (typeof tracked !== 'object') return absent('no connection')
  const { connection: entry } = tracked
  switch (key) {
    case 'status': {
      const flags = [
        ...states.slice(1),
        ...(entry.answered ? ['seen-reply'] : []),
        ...(entry.confirmed ? ['confirmed'] : []),
      ]
      return {
        kind: 'flags',
        flags,
        known: ['snat', 'dnat', 'seen-reply', 'confirmed', 'expected', 'dying'],
        open: true,
        says: `the status is ${flags.length === 0 ? 'none of these' : flags.join(',')}`,
      }
    }
    case 'direction':
      return one(tracked.direction, `the direction is ${tracked.direction}`)
    case 'mark':
      return one(String(entry.mark), `connection mark 0x${entry.mark.toString(16)}`)
  }
  if (direction === undefined) return unknown(`ct ${key} is not predicted`)
  const ends = entry[direction]
  switch (key) {
    case 'saddr':
      return one(ends.source.address, `${direction} source is ${tracedSocketText(ends.source)}`)
    case 'daddr':
      return one(
        ends.destination.address,
        `${direction} destination is ${tracedSocketText(ends.destination)}`,
      )
    case 'proto-src':
      return port(ends.source, `${direction} source`)
    case 'proto-dst':
      return port(ends.destination, `${direction} destination`)
    default:
      return unknown(`ct ${direction} ${key} is not predicted`)
  }
}

/** The kind of an address, or the interface of the route to it; an empty text where there is no route. */
function fib({ inputs, result }: Extract<NftExpression, { readonly kind: 'fib' }>, seen: Seen): NftValue {
  const { packet, host } = seen
  const [first, second, ...others] = inputs
  const side = first === 'saddr' ? 'source' : first === 'daddr' ? 'destination' : undefined
  const isKnown = others.length === 0 && [undefined, 'iif', 'oif'].includes(second)
  const device = second === 'iif' ? seen.in : second === 'oif' ? seen.out : undefined
  if (side === undefined || !isKnown) return unknown(`fib ${inputs.join(' . ')} is not predicted`)
  const { address } = packet[side]
  if (result === 'type') {
    // multicast and broadcast addresses cannot be traced
    const isLocal = host.isLocal(address, second === undefined ? undefined : device)
    const whose = isLocal ? `is ${host.name}’s own address` : `is not an address of ${host.name}`
    return one(isLocal ? 'local' : 'unicast', `${address} ${whose}`)
  }
  if (result !== 'oif' && result !== 'oifname') return unknown(`fib ${result} is not predicted`)
  const route = host.routeTo(address)
  const isBack = second === undefined || route?.device === device
  const name = isBack ? (route?.device ?? '') : ''
  return one(name, name === '' ? `${address} has no route here` : `${address} has its route by ${name}`)
}

function binary(
  { operator, left, right }: Extract<NftExpression, { readonly kind: 'binary' }>,
  seen: Seen,
): NftValue {
  const [a, b] = [valueOf(left, seen), valueOf(right, seen)]
  const { says } = a
  if (a.kind === 'absent') return a
  if (a.kind === 'flags' && operator === '&' && right.kind === 'literal') {
    const { words } = right
    const { open: _open, known, ...rest } = a
    if (!words.every((word) => known.includes(word))) return unknown('some of these flags are not predicted')
    return { ...rest, flags: a.flags.filter((flag) => words.includes(flag)), known: words }
  }
  const [x, y] = [a, b].map((value) => (value.kind === 'one' ? Number(value.text) : NaN))
  if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y))
    return unknown(`${a.kind === 'unknown' ? says : 'this calculation'} is not predicted`)
  const result = operator === '&' ? x & y : operator === '|' ? x | y : x ^ y
  return one(String(result >>> 0), says)
}
