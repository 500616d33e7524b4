import { icmpOutcome } from './icmpOutcome.js'
import { answeringTuple, sameTuple, tupleOf, type IdentifiedSighting } from './sightings.js'
import type { Trace } from './traces.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { FlowOutcome, QuotedPacket, TransportProtocol } from './types.js'

/** A flow while its packets are being collected. */
export interface Draft {
  readonly protocol: TransportProtocol
  /** The namespace in which it was first seen. */
  readonly netns: string
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** When its first packet was seen, in seconds since the epoch. */
  readonly start: number
  readonly token: string
  /** The paths of the first packet and of its retransmissions; empty if only an ICMP error was seen. */
  readonly passes: Trace[]
  reply?: Reply
}

/** The path of the first reply. */
export interface Reply {
  readonly trace: Trace
  /** True when it arrived where the request started, from the address that was called. */
  readonly delivered: boolean
  readonly outcome: FlowOutcome
}

/** Seconds of silence after which a UDP exchange is a new one (nf_conntrack_udp_timeout). */
const udpTimeout = 30

/** Sorts packets, in order of time, into requests and their replies. */
export function draftFlows(traces: readonly Trace[]): Draft[] {
  const drafts: Draft[] = []
  const index = createIndex(traces)
  for (const trace of traces) {
    const [first] = trace
    if (first === undefined) continue
    const answered = answeredBy(first, index)
    if (answered !== undefined) answer(answered, trace)
    else if (first.identity.role === 'error') drafts.push(...unseenRequest(trace, first, index))
    else if (opens(first)) request(trace, first, index, drafts)
  }
  return drafts
}

/** Drafts by the keys that assign a packet to them; a later flow replaces an earlier one, as with a reused port. */
interface Index {
  /** By a retransmission of the request where it started. */
  readonly origins: Map<string, Draft>
  /** By a reply to it, in each namespace where the request was seen. */
  readonly answers: Map<string, Draft>
  /** TCP only, by acknowledgement number: for a reply from a namespace that is not captured. */
  readonly acknowledgements: Map<string, Draft>
  /** By the addresses that an ICMP error would quote; only if there are errors. */
  readonly quotes: Map<string, Draft> | undefined
}

function createIndex(traces: readonly Trace[]): Index {
  const anyErrors = traces.some(([first]) => first?.identity.role === 'error')
  const quotes = anyErrors ? new Map<string, Draft>() : undefined
  return { origins: new Map(), answers: new Map(), acknowledgements: new Map(), quotes }
}

function opens({ identity: { role } }: IdentifiedSighting): boolean {
  return role === 'syn' || role === 'datagram' || role === 'echo'
}

function answeredBy(first: IdentifiedSighting, index: Index): Draft | undefined {
  const { netns, packet, identity } = first
  const { role, token } = identity
  const tuple = tupleOf(packet)
  switch (role) {
    case 'syn-ack':
    case 'rst':
      return index.answers.get(`${netns} tcp ${tuple} ${token}`) ?? index.acknowledgements.get(token)
    case 'datagram':
    case 'echo-reply':
      return index.answers.get(`${netns} ${packet.protocol} ${tuple} ${token}`)
    case 'error':
      return packet.icmp?.quoted && index.quotes?.get(quoteKey(packet.icmp.quoted))
    case 'syn':
    case 'echo':
      return undefined
  }
}

/** Sets the reply, unless one has already been delivered. */
function answer(draft: Draft, trace: Trace): void {
  if (draft.reply?.delivered === true) return
  const reply = replyOf(draft, trace)
  if (draft.reply === undefined || reply.delivered) draft.reply = reply
}

function replyOf(draft: Draft, trace: Trace): Reply {
  const first = trace[0]
  const last = trace.at(-1)
  const request = draft.passes[0]?.[0]
  const home = last !== undefined && last.netns === draft.netns
  const outcome = first ? flowOutcome(first) : 'unanswered'
  if (first?.identity.role === 'error' || request === undefined) return { trace, delivered: home, outcome }
  const { source } = last?.packet ?? {}
  const { destination } = request.packet
  const known = source?.address === destination.address && source.port === destination.port
  return { trace, delivered: home && known, outcome }
}

function flowOutcome({ identity: { role }, packet }: IdentifiedSighting): FlowOutcome {
  if (role === 'rst') return 'refused'
  // ABORT, chunk type 6.
  if (packet.protocol === 'sctp' && packet.payload.startsWith('06')) return 'refused'
  const { icmp } = packet
  if (role === 'error' && icmp) return icmpOutcome(packet.protocol, icmp.type, icmp.code) ?? 'unanswered'
  return 'answered'
}

/** A packet that opens a flow, or the retransmission of one. */
function request(trace: Trace, first: IdentifiedSighting, index: Index, drafts: Draft[]): void {
  const { netns, packet, identity } = first
  const origin = `${netns} ${packet.protocol} ${tupleOf(packet)} ${identity.token}`
  const known = index.origins.get(origin)
  const draft = known && repeats(known, packet.time) ? known : draftOf(trace, first)
  if (draft === known) draft.passes.push(trace)
  else drafts.push(draft)
  index.origins.set(origin, draft)
  if (packet.tcp !== undefined) index.acknowledgements.set(identity.token, draft)
  for (const [position, sighting] of trace.entries()) {
    const before = trace[position - 1]
    // A bridge and its port have the same reply.
    if (before?.netns === sighting.netns && sameTuple(before, sighting)) continue
    register(sighting, draft, index)
  }
}

function draftOf(trace: Trace, { netns, packet, identity }: IdentifiedSighting): Draft {
  const { protocol, source, destination, time } = packet
  return { protocol, netns, source, destination, start: time, token: identity.token, passes: [trace] }
}

/** A SYN with a known sequence number is a retransmission; a datagram belongs to its exchange until the reply. */
function repeats(draft: Draft, time: number): boolean {
  if (draft.protocol === 'tcp') return true
  const last = draft.passes.at(-1)?.[0]?.packet.time ?? draft.start
  const answeredAt = draft.reply?.trace.at(-1)?.packet.time
  return answeredAt === undefined && time - last < udpTimeout
}

function register({ netns, packet, identity }: IdentifiedSighting, draft: Draft, index: Index): void {
  const { protocol, icmp, tcp, source, destination } = packet
  const token = icmp === undefined ? identity.token : `${icmp.identifier} ${icmp.sequence}`
  index.answers.set(`${netns} ${protocol} ${answeringTuple(packet)} ${token}`, draft)
  index.quotes?.set(quoteKey({ protocol, source, destination, ...tcp, ...icmp }), draft)
}

function quoteKey({ protocol, source, destination, sequence, identifier }: QuotedPacket): string {
  return `${protocol} ${tupleOf({ source, destination })} ${sequence} ${identifier}`
}

/**
 * A request that failed before it was seen on any interface (REJECT in OUTPUT, no route, no neighbour): only the error
 * that the namespace sent to itself was captured.
 */
function unseenRequest(trace: Trace, first: IdentifiedSighting, index: Index): Draft[] {
  const quoted = first.packet.icmp?.quoted
  if (quoted === undefined || first.interface !== 'lo') return []
  const { protocol, source, destination } = quoted
  const start = first.packet.time
  const draft: Draft = { protocol, netns: first.netns, source, destination, start, token: '', passes: [] }
  answer(draft, trace)
  // Errors about a retransmission are ignored.
  index.quotes?.set(quoteKey(quoted), draft)
  return [draft]
}
