import { addRequested, type Requested } from './requested.js'
import { draftFlows, type Draft } from './drafts.js'
import { connectionEnds, type ConnectionEnds } from './connectionEnds.js'
import { hopsOf, rewritesOf } from './hops.js'
import { passedOnBy } from './passedOn.js'
import { socketKey } from '../net/socketKey.js'
import { sightingsOf } from './sightings.js'
import { isPastUnseen } from './steps.js'
import { traceSightings, type Trace } from './traces.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { Capture, Flow, PassedOn } from './types.js'

export interface JoinOptions {
  /** Only flows that this namespace originated. */
  readonly from?: string
  /** Also flows that other namespaces originated with these sources: what a proxy sent on the sender's behalf. */
  readonly alsoFrom?: readonly SocketAddress[]
  /** Only flows that started at this time or later, in seconds since the epoch. */
  readonly since?: number
  /** The requests of senders, in order: they reveal rewrites before the first sighting (OUTPUT). */
  readonly requested?: readonly Requested[]
  /** Namespaces of proxies: the requests they forward are assigned to the flow of the original request by its ID. */
  readonly proxies?: ReadonlySet<string> | undefined
}

/** A flow, and what is known of its packets. */
export interface Connection {
  readonly flow: Flow
  /** The time of its first packet, in seconds since the epoch. */
  readonly start: number
  /** It was answered, but its packets were somewhere on the way where no capture has seen them. */
  readonly hasGap: boolean
}

/**
 * Joins the sightings of all captures into flows, in order of time. The captures must be from the same kernel, because its
 * clock orders them.
 */
export function joinConnections(captures: readonly Capture[], options: JoinOptions = {}): Connection[] {
  const { identified, ends } = sightingsOf(captures)
  const { from, since = -Infinity, alsoFrom = [] } = options
  const also = new Set(alsoFrom.map(socketKey))
  const drafts = draftFlows(traceSightings(identified, also))
  const wanted = drafts.filter(
    (draft) =>
      draft.start >= since &&
      (from === undefined ||
        isFrom(draft, from) ||
        (draft.netns !== from && also.has(socketKey(draft.source)))),
  )
  const ended = connectionEnds(ends, drafts)
  const flows = wanted.map((draft) => flowOf(draft, ended))
  const complete = addRequested(flows, wanted, options.requested ?? [])
  const { proxies, requested = [] } = options
  const connectionsOf = (joined: readonly Flow[]) =>
    joined.map((flow, index) => {
      const draft = wanted[index]
      return { flow, start: draft?.start ?? 0, hasGap: draft !== undefined && hasGap(draft) }
    })
  if (proxies === undefined || proxies.size === 0) return connectionsOf(complete)
  const inner = drafts.filter(({ netns }) => proxies.has(netns)).map((draft) => flowOf(draft, ended))
  return connectionsOf(addPassedOn(complete, requested, passedOnBy(captures, proxies, inner)))
}

/** The socket of a flow's source gives the ID of its request, and the ID gives the requests that proxies forwarded. */
function addPassedOn(
  flows: readonly Flow[],
  requested: readonly Requested[],
  passed: readonly PassedOn[],
): Flow[] {
  const ids = new Map(
    requested.flatMap(({ id, source }) =>
      id === undefined || source === undefined ? [] : [[socketKey(source), id]],
    ),
  )
  return flows.map((flow) => {
    const id = ids.get(socketKey(flow.source))
    const passedOn = passed.filter(({ requestId }) => requestId === id)
    return passedOn.length === 0 ? flow : { ...flow, passedOn }
  })
}

function isFrom({ netns, passes: [first] }: Draft, from: string): boolean {
  const sighting = first?.[0]
  if (sighting === undefined) return netns === from
  // tcpdump does not capture outgoing packets on loopback.
  return netns === from && (sighting.direction === 'out' || sighting.interface === 'lo')
}

function flowOf(draft: Draft, { reset, aborted }: ConnectionEnds): Flow {
  const { protocol, start, source, destination, reply } = draft
  const pass = answeredPass(draft)
  return {
    protocol,
    source,
    destination,
    hops: hopsOf(pass, start),
    replyHops: hopsOf(reply?.trace ?? [], start),
    nat: rewritesOf(pass, 'request'),
    replyNat: rewritesOf(reply?.trace ?? [], 'reply'),
    outcome: reset.has(draft) ? 'reset' : reply?.delivered === true ? reply.outcome : 'unanswered',
    ...(aborted.has(draft) ? { aborted: true as const } : {}),
  }
}

function hasGap(draft: Draft): boolean {
  return draft.reply?.delivered === true && [answeredPass(draft), draft.reply.trace].some(isInterrupted)
}

/** True when a packet left its last place, or reached a place from one that no capture has seen. */
function isInterrupted(trace: Trace): boolean {
  const last = trace.at(-1)
  if (last?.direction === 'out' && last.interface !== 'lo') return true
  return trace.some((to, index) => {
    const from = trace[index - 1]
    return from !== undefined && isPastUnseen(from, to)
  })
}

/** The first pass of the request, or the retransmission that arrived where the reply started. */
function answeredPass({ passes, reply }: Draft) {
  const [first] = passes
  const answering = reply?.trace[0]?.netns
  const answered = passes.find((pass) => pass.at(-1)?.netns === answering)
  return answered ?? first ?? []
}
