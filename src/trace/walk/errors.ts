import type { IcmpHeader, TracedPacket } from '../../snapshot/model/packet.js'
import { fabricPlace } from '../../snapshot/model/state.js'
import type { End } from '../model/steps.js'
import { isRequest } from './ends.js'
import type { Tracked } from './connection.js'
import { selectorOf, type Visit } from './visit.js'

/** What a host sends back about a request that ends there. */
export interface SentError {
  /** `ICMP port unreachable`, `TCP reset` */
  readonly name: string
  readonly packet: TracedPacket
  /** Errors and resets of netfilter belong to the connection of the packet that they are about (nf_ct_attach of Linux). */
  readonly tracked: Tracked | undefined
}

/** The error or reset that a host sends about a request; undefined if the program of the caller gets its error without a packet. */
export function errorAbout(visit: Visit, { kind, caller, rejects }: End): SentError | undefined {
  const { packet, host, tracked, in: incoming } = visit
  const isRequest = packet.kind === 'request' && packet.inner === undefined && packet.later === undefined
  if (!isRequest || (caller !== 'connection refused' && caller !== 'unreachable')) return undefined
  if (kind === 'unroutable' && incoming === undefined) return undefined
  const { source, destination, family, protocol } = packet
  const related =
    typeof tracked === 'object' && tracked.direction === 'original'
      ? ({ connection: tracked.connection, direction: 'reply', related: true } as const)
      : undefined
  if (rejects?.includes('reset') === true) {
    const reset = { ...packet, source: destination, destination: source, kind: 'reset', mark: 0 } as const
    return {
      name: 'TCP reset',
      packet: { ...reset, largest: undefined, ttl: undefined, sender: undefined },
      tracked: related,
    }
  }
  const back = host.routeTo(source.address)
  const own = host.isLocal(destination.address)
    ? destination.address
    : back && host.sourceFor(back, source.address)
  if (own === undefined) return undefined
  const chosen = kind === 'unroutable' ? errorOfRoute(visit) : defaultError(kind, protocol)
  const { name, ...icmp } = errorNamed(family, rejects ?? chosen)
  return {
    name,
    packet: {
      ...{ family, protocol: 'icmp', kind: 'error', mark: 0 },
      source: { address: own },
      destination: { address: source.address },
      icmp,
      about: { protocol, source, destination },
    },
    tracked: related,
  }
}

/** How a packet ends about which no error is sent, or its sender gets one without a packet; that of an answer is not the caller. */
export function withOwnError({ packet }: Visit, reached: End): End {
  return reached.caller === 'unreachable' && !isRequest(packet) ? { ...reached, caller: 'timeout' } : reached
}

/** Errors that no rule chooses. */
function defaultError(kind: End['kind'], protocol: TracedPacket['protocol']): string {
  switch (kind) {
    case 'unreachable':
      return 'host-unreachable'
    case 'dropped':
      return 'time-exceeded'
    default:
      return protocol === 'sctp' ? 'proto-unreachable' : 'port-unreachable'
  }
}

/** The error about a packet that is not forwarded (fib_props and ip_error of Linux); ICMPv6 has one for what only IPv4 distinguishes. */
function errorOfRoute(visit: Visit): string {
  const { host, packet } = visit
  const { kind, policy } = host.routeTo(packet.destination.address, selectorOf(visit)) ?? {}
  if (kind === 'prohibit') return 'adm-prohibited'
  const isOwn = kind === 'unreachable' && policy === undefined && host.name !== fabricPlace
  return isOwn && packet.family === 'IPv4' ? 'host-unreachable' : 'net-unreachable'
}

/** The name of some is another one in ICMPv6. */
type NamedError = readonly [
  options: RegExp,
  name: string,
  icmp: IcmpHeader,
  icmpv6: IcmpHeader & { readonly name?: string },
]

/** Errors by the names that iptables, ip6tables and nft give them, with type and code in ICMP and ICMPv6. */
const portUnreachable: NamedError = [
  /port-unreach/,
  'port unreachable',
  { type: 3, code: 3 },
  { type: 1, code: 4 },
]
const headers: readonly NamedError[] = [
  portUnreachable,
  [
    /host-unreach|addr-unreach/,
    'host unreachable',
    { type: 3, code: 1 },
    { type: 1, code: 3, name: 'address unreachable' },
  ],
  [
    /net-unreach|no-route/,
    'network unreachable',
    { type: 3, code: 0 },
    { type: 1, code: 0, name: 'no route to destination' },
  ],
  [/proto-unreach/, 'protocol unreachable', { type: 3, code: 2 }, { type: 4, code: 1 }],
  [/net-prohib/, 'network prohibited', { type: 3, code: 9 }, { type: 1, code: 1 }],
  [/host-prohib/, 'host prohibited', { type: 3, code: 10 }, { type: 1, code: 1 }],
  [/adm/, 'administratively prohibited', { type: 3, code: 13 }, { type: 1, code: 1 }],
  [/policy-fail/, 'source address failed policy', { type: 3, code: 3 }, { type: 1, code: 5 }],
  [/reject-route/, 'reject route', { type: 3, code: 3 }, { type: 1, code: 6 }],
  [/time-exceeded/, 'time exceeded', { type: 11, code: 0 }, { type: 3, code: 0 }],
]

function errorNamed(family: TracedPacket['family'], option: string): IcmpHeader & { readonly name: string } {
  const [, name, four, six] = headers.find(([names]) => names.test(option)) ?? portUnreachable
  return family === 'IPv4'
    ? { ...four, name: `ICMP ${name}` }
    : { ...six, name: `ICMPv6 ${six.name ?? name}` }
}

/**
 * Errors that a program which sends datagrams does not get: of a socket without IP_RECVERR, the kernel passes on only those after
 * which nothing can follow (icmp_err_convert and icmpv6_err_convert of Linux).
 */
export function isIgnored({ icmp, about, family }: TracedPacket): boolean {
  if (about?.protocol !== 'udp' || icmp === undefined) return false
  const { type, code } = icmp
  return family === 'IPv4'
    ? type === 11 || (type === 3 && code < 2)
    : type === 3 || (type === 1 && [0, 2, 3].includes(code))
}

/** How a request ends whose error the caller does not get. */
export function withIgnoredError(reached: End): End {
  const reason = `${reached.reason}; a program does not get such an error about a datagram`
  return { ...reached, reason, caller: 'timeout' }
}

/** How a request ends whose error does not arrive: `lost` is the end of the error. */
export function withLostError(reached: End, lost: End): End {
  const reason = `${reached.reason}; the error does not reach the caller: ${lost.reason}`
  if (lost.kind === 'untraceable') return { ...reached, kind: 'untraceable', reason, caller: 'unknown' }
  return {
    ...reached,
    reason,
    caller: 'timeout',
    lost: { place: lost.place, reason: lost.reason, ...(lost.rule && { rule: lost.rule }) },
  }
}
