import { icmpOutcome } from './icmpOutcome.js'
import { answeringTuple, sameTuple, tupleOf, type TelltaleSighting } from './sightings.js'
import type { Trace } from './traces.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { FlowOutcome, QuotedPacket, TransportProtocol } from './types.js'

/** A flow while its packets are being put together. */
export interface Draft {
  readonly protocol: TransportProtocol
  /** The namespace that originated it, as far as was seen. */
  readonly netns: string
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** When its first packet was seen, in seconds since the epoch. */
  readonly start: number
  readonly token: string
  /** The ways of the first packet and of its repetitions; empty when an error alone told of it. */
  readonly passes: Trace[]
  reply?: Reply
}

/** The way of the first answer. */
export interface Reply {
  readonly trace: Trace
  /** True when it came to where the request started, from where the request went. */
  readonly delivered: boolean
  readonly outcome: FlowOutcome
}

/** Seconds of silence after which a UDP exchange is a new one (nf_conntrack_udp_timeout). */
const udpTimeout = 30

/** Sorts packets, in order of time, into requests and what answers them. */
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

/** Drafts by what ties a packet to them; a later flow takes an earlier one's place, as with a port used again. */
interface Index {
  /** By the sighting that would repeat the request where it started. */
  readonly origins: Map<string, Draft>
  /** By the sighting that would answer it, wherever the request was seen. */
  readonly answers: Map<string, Draft>
  /** TCP only, by acknowledgement number: where an answer comes from a namespace that is not captured. */
  readonly acknowledgements: Map<string, Draft>
  /** By the addresses that an error would quote; kept only when there are errors. */
  readonly quotes: Map<string, Draft> | undefined
}

function createIndex(traces: readonly Trace[]): Index {
  const anyErrors = traces.some(([first]) => first?.identity.role === 'error')
  const quotes = anyErrors ? new Map<string, Draft>() : undefined
  return { origins: new Map(), answers: new Map(), acknowledgements: new Map(), quotes }
}

function opens({ identity: { role } }: TelltaleSighting): boolean {
  return role === 'syn' || role === 'datagram' || role === 'echo'
}

function answeredBy(first: TelltaleSighting, index: Index): Draft | undefined {
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

/** Takes an answer, unless there is one already that came through. */
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

function flowOutcome({ identity: { role }, packet }: TelltaleSighting): FlowOutcome {
  if (role === 'rst') return 'refused'
  // ABORT, chunk type 6.
  if (packet.protocol === 'sctp' && packet.payload.startsWith('06')) return 'refused'
  const { icmp } = packet
  if (role === 'error' && icmp) return icmpOutcome(packet.protocol, icmp.type, icmp.code) ?? 'unanswered'
  return 'answered'
}

/** A packet that opens a flow, or repeats what opened one. */
function request(trace: Trace, first: TelltaleSighting, index: Index, drafts: Draft[]): void {
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
    // A bridge and its port would be answered alike.
    if (before?.netns === sighting.netns && sameTuple(before, sighting)) continue
    register(sighting, draft, index)
  }
}

function draftOf(trace: Trace, { netns, packet, identity }: TelltaleSighting): Draft {
  const { protocol, source, destination, time } = packet
  return { protocol, netns, source, destination, start: time, token: identity.token, passes: [trace] }
}

/** A SYN with a known sequence number is one sent again; a datagram belongs to its exchange until that was answered. */
function repeats(draft: Draft, time: number): boolean {
  if (draft.protocol === 'tcp') return true
  const last = draft.passes.at(-1)?.[0]?.packet.time ?? draft.start
  const answeredAt = draft.reply?.trace.at(-1)?.packet.time
  return answeredAt === undefined && time - last < udpTimeout
}

function register({ netns, packet, identity }: TelltaleSighting, draft: Draft, index: Index): void {
  const { protocol, icmp, tcp, source, destination } = packet
  const token = icmp === undefined ? identity.token : `${icmp.identifier} ${icmp.sequence}`
  index.answers.set(`${netns} ${protocol} ${answeringTuple(packet)} ${token}`, draft)
  index.quotes?.set(quoteKey({ protocol, source, destination, ...tcp, ...icmp }), draft)
}

function quoteKey({ protocol, source, destination, sequence, identifier }: QuotedPacket): string {
  return `${protocol} ${tupleOf({ source, destination })} ${sequence} ${identifier}`
}

/**
 * A request that was refused before any interface saw it (REJECT in OUTPUT, no route, no neighbour): the error that the
 * namespace sent to itself is all there is of it.
 */
function unseenRequest(trace: Trace, first: TelltaleSighting, index: Index): Draft[] {
  const quoted = first.packet.icmp?.quoted
  if (quoted === undefined || first.interface !== 'lo') return []
  const { protocol, source, destination } = quoted
  const start = first.packet.time
  const draft: Draft = { protocol, netns: first.netns, source, destination, start, token: '', passes: [] }
  answer(draft, trace)
  // Errors about a request that was sent again say nothing new.
  index.quotes?.set(quoteKey(quoted), draft)
  return [draft]
}
