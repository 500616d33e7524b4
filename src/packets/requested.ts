import type { Draft } from './drafts.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { Flow, NatFact } from './types.js'

/** A request of a sender: the addresses of the socket as the process in `netns` has them. */
export interface Requested {
  readonly netns: string
  readonly source?: SocketAddress
  readonly destination: SocketAddress
  /** The X-Request-ID of the request. */
  readonly id?: string | undefined
}

/**
 * Adds the rewrites before the first sighting. Packets from a namespace itself pass OUTPUT and POSTROUTING before they are
 * captured, so only the sender knows the original addresses. `drafts[i]` belongs to `flows[i]`.
 */
export function addRequested(
  flows: readonly Flow[],
  drafts: readonly Draft[],
  requested: readonly Requested[],
): Flow[] {
  const open = new Set(requested)
  const matches = [isUnchanged, isSameSource, isSamePort, isSameKind]
  const matched = new Map<Flow, Requested>()
  for (const fits of matches) {
    for (const [index, flow] of flows.entries()) {
      const draft = drafts[index]
      if (open.size === 0) break
      if (draft === undefined || matched.has(flow)) continue
      const match = firstOf(open, (one) => one.netns === draft.netns && fits(one, draft))
      if (match === undefined) continue
      open.delete(match)
      matched.set(flow, match)
    }
  }
  return flows.map((flow) => withRequested(flow, matched.get(flow)))
}

function firstOf<Value>(values: Iterable<Value>, fits: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (fits(value)) return value
  return undefined
}

type Fits = (one: Requested, draft: Draft) => boolean

/** Nothing was rewritten. */
const isUnchanged: Fits = (one, { source, destination }) =>
  same(one.destination, destination) && (one.source === undefined || same(one.source, source))

/** The destination of the reply is the original source: conntrack restores it before the capture on a bridge. */
const isSameSource: Fits = (one, { source, reply }) => {
  const receiver = reply?.trace.at(-1)?.packet.destination
  return (
    one.source !== undefined && (same(one.source, source) || (receiver ? same(one.source, receiver) : false))
  )
}

/** By default, SNAT keeps the port if it is free. */
const isSamePort: Fits = (one, { source }) =>
  one.source?.port !== undefined && one.source.port === source.port

/** Remaining flows are matched in order of time: both with ports, or both without. */
const isSameKind: Fits = (one, { destination }) =>
  (one.destination.port === undefined) === (destination.port === undefined)

function withRequested(flow: Flow, request: Requested | undefined): Flow {
  if (request === undefined) return flow
  const source = request.source ?? flow.source
  const [first, ...rest] = flow.hops
  const facts: NatFact[] = [
    ...rewrite('DNAT', request.netns, request.destination, flow.destination),
    ...rewrite('SNAT', request.netns, source, flow.source),
  ]
  if (first === undefined || facts.length === 0) return flow
  const rewritten = {
    ...(same(source, flow.source) ? {} : { source }),
    ...(same(request.destination, flow.destination) ? {} : { destination: request.destination }),
  }
  return {
    ...flow,
    source,
    destination: request.destination,
    hops: [{ ...first, rewritten }, ...rest],
    nat: [...facts, ...flow.nat],
  }
}

function rewrite(kind: NatFact['kind'], netns: string, from: SocketAddress, to: SocketAddress): NatFact[] {
  return same(from, to) ? [] : [{ kind, netns, from, to }]
}

function same(a: SocketAddress, b: SocketAddress): boolean {
  return a.address === b.address && (a.port ?? 0) === (b.port ?? 0)
}
