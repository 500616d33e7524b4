import {
  onlyPort,
  sameSocket,
  tupleText,
  type TracedPacket,
  type TracedSocket,
} from '../../snapshot/model/packet.js'
import { destinationKey, fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import type { End, Hop, KernelReason, Missing } from '../model/steps.js'
import type { HostRoute } from '../network/host.js'
import { portText } from '../rules/matchTransport.js'
import type { Verdict } from '../rules/traverse.js'
import type { Connection } from './connection.js'
import type { Visit } from './visit.js'

/** An end of a path. */
export function end(
  kind: End['kind'],
  place: string,
  reason: string,
  caller: End['caller'],
  missing?: Missing,
): End {
  return { kind, place, reason, caller, ...(missing && { missing }) }
}

/** The end that a table's verdict on a packet means; undefined if the packet goes on. */
export function endOfVerdict(verdict: Verdict, place: string, packet: TracedPacket): End | undefined {
  switch (verdict.kind) {
    case 'drop': {
      const { rule, chain } = verdict
      const reason =
        rule === undefined
          ? `the policy of ${chain} is DROP`
          : `rule ${rule.number} of ${rule.table} ${chain} drops it`
      const policy = rule === undefined ? chain : undefined
      return { kind: 'dropped', place, reason, rule, policy, caller: 'timeout' }
    }
    case 'reject': {
      const { rule } = verdict
      const reason = `rule ${rule.number} of ${rule.table} ${rule.chain} rejects it (${verdict.with})`
      // an error about an answer goes to the host that has sent it
      const caller = isRequest(packet) ? callerOf(verdict.with) : 'timeout'
      return { kind: 'rejected', place, reason, rule, caller, rejects: verdict.with }
    }
    case 'opaque': {
      const { rule } = verdict
      const reason = `what ${rule.effect ?? 'its target'} in ${rule.table} ${rule.chain} ${rule.number} does is not predicted`
      return { kind: 'untraceable', place, reason, rule, caller: 'unknown' }
    }
    default:
      return undefined
  }
}

/** Whether a packet, or the one inside it, is on its way to the receiver. */
export function isRequest({ kind, inner }: TracedPacket): boolean {
  return inner === undefined ? kind === 'request' : isRequest(inner.packet)
}

/** What a program gets from connect(2) after an ICMP error (icmp_err_convert of Linux) or a reset. */
function callerOf(rejectWith: string): End['caller'] {
  return /port-unreach|reset/.test(rejectWith) ? 'connection refused' : 'unreachable'
}

/** What follows depends on a host of which nothing was attached. */
export function elsewhere(place: string, reason: string): End {
  return { ...end('untraceable', place, reason, 'unknown'), leaves: true }
}

/** The host has no route to the packet's destination. */
export function noRoute({ host, packet }: Visit): End {
  const reason = `${host.name} has no route to ${packet.destination.address}`
  const missing = { kind: 'route', to: packet.destination.address } as const
  return end('unroutable', host.name, reason, 'unreachable', missing)
}

/** The end of a packet whose route leads nowhere; undefined for a route that it can take. */
export function deadEnd(visit: Visit, { kind, to, policy }: HostRoute): End | undefined {
  const { host, packet } = visit
  if (kind === 'unicast' || kind === 'local') return undefined
  const { address } = packet.destination
  if (kind === 'unknown' && host.name === fabricPlace)
    return elsewhere(host.name, `it leaves the cluster: nothing attached has ${address}`)
  if (kind === 'unreachable' && host.name === fabricPlace) return noRoute(visit)
  const by = policy === undefined ? `its route to ${to.text}` : `rule ${policy} of its policy routing`
  if (kind === 'unknown')
    return end('untraceable', host.name, `where ${by} leads is not predicted`, 'unknown')
  if (kind === 'broadcast') return end('dropped', host.name, `${address} is a broadcast address`, 'timeout')
  const missing = { kind: 'route', to: address } as const
  const reason = `${host.name} has no way to ${address}: ${by} is ${kind}`
  // the kernel drops what it forwards without a word; a program gets an error
  const isSilent = kind === 'blackhole' && visit.in !== undefined
  return end('unroutable', host.name, reason, isSilent ? 'timeout' : 'unreachable', missing)
}

/** A router does not forward a packet whose time to live ends. */
export function expired({ host, packet: { ttl } }: Visit): End {
  const reason = `${host.name} does not forward it: its time to live is ${ttl}`
  return end('dropped', host.name, reason, 'unreachable')
}

/** The kernel drops the packet without a rule. */
export function kernelDrop({ host }: Visit, { reason, missing }: KernelReason): End {
  return end('dropped', host.name, reason, 'timeout', missing)
}

/** Why a connection gets no source port. */
export function exhausted({ reply }: Connection, { address, port }: TracedSocket): string {
  const ports = port?.first === port?.last ? `port ${port?.first}` : `ports ${port?.first} to ${port?.last}`
  const { address: receiver, port: called } = reply.source
  return `other connections to ${receiver}:${called?.first ?? ''} use the source ${ports} of ${address}: masquerading has none left, and the kernel drops the packet`
}

/** Why a connection gets another source port that no rule chooses. */
export function portTaken({ original, reply }: Connection): string {
  const { address, port } = reply.source
  return `another connection to ${address}:${port?.first ?? ''} has source port ${original.source.port?.first ?? ''}`
}

/** The packet is for another host, and this one is no router. */
export function notForwarded({ host, packet, in: device = '' }: Visit): End {
  const { address } = packet.destination
  const isOwn = packet.family === 'IPv4' && host.sysctl('net.ipv4.ip_forward') === 1
  const why = isOwn ? `forwarding of ${device} is 0` : 'ip_forward is 0'
  const reason = `${address} is not an address of ${host.name}, which does not forward packets (${why})`
  const name = isOwn
    ? `net.ipv4.conf.${device}.forwarding`
    : packet.family === 'IPv4'
      ? 'net.ipv4.ip_forward'
      : 'net.ipv6.conf.all.forwarding'
  return end('dropped', host.name, reason, 'timeout', { kind: 'sysctl', name, value: 1 })
}

/** The end at a host whose rules cannot be evaluated, or not for this destination. */
export function opaqueEnd(
  { opaque, undecided }: TraceState,
  place: string,
  { destination: { address, port }, protocol }: TracedPacket,
): End | undefined {
  const number = port && onlyPort(port)
  const why = opaque.get(place) ?? undecided?.get(place)?.get(destinationKey(address, number, protocol))
  return why === undefined ? undefined : end('untraceable', place, why, 'unknown')
}

/** What is known of the request that an answer is for. */
export interface Asked {
  readonly caller: string
  readonly request: TracedPacket
  readonly receiver: string | undefined
  /** The last host that the request reached. */
  readonly last: Hop | undefined
}

/** The end of an error that has arrived at a host: `answered` if it is about the request of the caller. */
function endOfError({ host, packet }: Visit, { caller, request }: Asked): End {
  const { about } = packet
  const isOwn =
    host.name === caller &&
    about !== undefined &&
    sameSocket(about.source, request.source) &&
    sameSocket(about.destination, request.destination)
  if (isOwn) return end('answered', host.name, 'the error reaches the caller', 'answer')
  const reason = `it reaches ${host.name}, and is about ${about === undefined ? 'another packet' : tupleText(about)}`
  return end('misrouted', host.name, reason, 'timeout')
}

/** The end of an answer that has arrived at a host. */
export function endOfAnswer(visit: Visit, asked: Asked): End {
  const { host, packet } = visit
  if (packet.kind === 'error') return endOfError(visit, asked)
  const { caller, request, receiver, last } = asked
  const { name } = host
  if (name !== caller || packet.destination.address !== request.source.address) {
    const reason = `the answer ${tupleText(packet)} reaches ${name}, which has sent no such request`
    return end('misrouted', name, reason, 'timeout')
  }
  if (!sameSocket(packet.source, request.destination)) {
    const reason = `the answer comes from ${packet.source.address}, but the request went to ${request.destination.address}`
    return end('misrouted', name, reason, 'timeout')
  }
  if (packet.kind === 'answer')
    return end('answered', name, `${receiver ?? 'the receiver'} answers`, 'answer')
  const { place = '', after } = last ?? {}
  const { address = '', port } = after?.destination ?? {}
  const reason = `nothing listens on ${request.protocol} port ${port === undefined ? '' : portText(port)} of ${place}`
  const missing = { kind: 'listener', protocol: request.protocol, address, port: onlyPort(port) } as const
  return end('refused', place, reason, 'connection refused', missing)
}
