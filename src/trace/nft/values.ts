import type { NftExpression } from '../../netfilter/nft/model.js'
import type { Range } from '../../netfilter/rules/formats.js'
import { tracedSocketText, type TracedPacket, type TracedSocket } from '../../snapshot/model/packet.js'
import { icmpHeader, portText, tcpFlagsOf } from '../rules/matchTransport.js'
import type { Seen } from '../rules/seen.js'
import { addressType } from '../network/addressType.js'
import { connectionStatus, ofTemplate } from '../rules/matchConnection.js'
import { senderOf, unstated } from '../rules/owner.js'
import { ctStates, zoneIn } from '../walk/connection.js'

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
  const text = protocolName(protocol, family)
  return one(text, `the protocol is ${text}`)
}

function protocolName(protocol: string, family: TracedPacket['family']): string {
  return protocol === 'icmp' && family === 'IPv6' ? 'ipv6-icmp' : protocol
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
    case 'pkttype':
      return one('host', 'packets to one host are unicast')
    case 'skuid':
      return ownerId('uid', seen)
    case 'skgid':
      return ownerId('gid', seen)
    default:
      return unknown(`meta ${key} is not predicted`)
  }
}

/** The user or group of the program that has sent it; nothing else has one. */
function ownerId(name: 'uid' | 'gid', seen: Seen): NftValue {
  const sender = senderOf(seen)
  if (sender.kind !== 'program') return absent('no program of this host has sent it')
  const id = sender.ids[name]
  return id === undefined ? unknown(unstated(name, sender.whose)) : one(String(id), `its ${name} is ${id}`)
}

function connection(
  { key, direction }: Extract<NftExpression, { readonly kind: 'ct' }>,
  { tracked, template, packet }: Seen,
): NftValue {
  const states = ctStates(tracked, template).map((state) => state.toLowerCase())
  if (key === 'state')
    return {
      kind: 'flags',
      flags: states.slice(0, 1),
      known: ['invalid', 'established', 'related', 'new', 'untracked'],
      says: `the state is ${states[0]}`,
    }
  if (template !== undefined) return unknown(ofTemplate)
  if (typeof tracked !== 'object') return absent('no connection')
  const { connection: entry } = tracked
  switch (key) {
    case 'status': {
      const status = connectionStatus(tracked)
      const named = (flag: string) => flag.toLowerCase().replace('_', '-')
      const flags = [...states.slice(1), ...status.flags.map(named)]
      const open = status.unknown.map(named)
      return {
        kind: 'flags',
        flags,
        known: ['snat', 'dnat', 'seen-reply', 'assured', 'confirmed', 'expected', 'dying'].filter(
          (flag) => !open.includes(flag),
        ),
        open: true,
        says: `the status is ${flags.length === 0 ? 'none of these' : flags.join(',')}`,
      }
    }
    case 'direction':
      return one(tracked.direction, `the direction is ${tracked.direction}`)
    // only an expected connection has the helper of the one before it
    case 'helper':
      return absent('the connection is not expected by a helper')
    case 'zone': {
      const id = zoneIn(entry.zone, direction ?? 'original')
      return one(String(id), `the zone is ${id}`)
    }
    case 'l3proto':
      return one(packet.family.toLowerCase(), `the packet is ${packet.family}`)
    case 'protocol':
      return one(protocolName(entry.protocol, packet.family), `the protocol is ${entry.protocol}`)
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
  const side = inputs.includes('saddr') ? 'source' : 'destination'
  const bound = inputs.find((input) => input === 'iif' || input === 'oif')
  const device = bound === 'iif' ? seen.in : bound === 'oif' ? seen.out : undefined
  const { address } = packet[side]
  if (result === 'type') {
    const type = addressType(host, address, device)
    if (type === undefined) return unknown(`where the route to ${address} leads is not predicted`)
    const whose = type === 'local' ? `is ${host.name}’s own address` : `is not an address of ${host.name}`
    return one(type, `${address} ${type === 'local' || type === 'unicast' ? whose : `is ${type}`}`)
  }
  if (result !== 'oif' && result !== 'oifname') return unknown(`fib ${result} is not predicted`)
  const route = host.routeTo(address, inputs.includes('mark') ? { mark: packet.mark } : {})
  const isBack = bound === undefined || route?.device === device
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
