import type { Draft } from './drafts.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { Flow, NatFact } from './types.js'

/** What a sender asked for: the ends of a socket as the process in `netns` knows them. */
export interface Requested {
  readonly netns: string
  readonly source?: SocketAddress
  readonly destination: SocketAddress
  /** The X-Request-ID that was sent along. */
  readonly id?: string | undefined
}

/**
 * Adds the rewrites that happened before the first sighting. What a namespace sends itself passes OUTPUT and
 * POSTROUTING before any interface sees it, so only the sender knows what it was. `drafts[i]` belongs to `flows[i]`.
 */
export function addRequested(
  flows: readonly Flow[],
  drafts: readonly Draft[],
  requested: readonly Requested[],
): Flow[] {
  const open = new Set(requested)
  const matches = [isAsSent, isSameSource, isSamePort, isOfThisPlace]
  const tied = new Map<Flow, Requested>()
  for (const fits of matches) {
    for (const [index, flow] of flows.entries()) {
      const draft = drafts[index]
      if (open.size === 0) break
      if (draft === undefined || tied.has(flow)) continue
      const match = firstOf(open, (one) => one.netns === draft.netns && fits(one, draft))
      if (match === undefined) continue
      open.delete(match)
      tied.set(flow, match)
    }
  }
  return flows.map((flow) => withRequested(flow, tied.get(flow)))
}

function firstOf<Value>(values: Iterable<Value>, fits: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (fits(value)) return value
  return undefined
}

type Fits = (one: Requested, draft: Draft) => boolean

/** Nothing was rewritten. */
const isAsSent: Fits = (one, { source, destination }) =>
  same(one.destination, destination) && (one.source === undefined || same(one.source, source))

/** The answer shows whom it is really for: conntrack restores that before a bridge hands it up. */
const isSameSource: Fits = (one, { source, reply }) => {
  const receiver = reply?.trace.at(-1)?.packet.destination
  return (
    one.source !== undefined && (same(one.source, source) || (receiver ? same(one.source, receiver) : false))
  )
}

/** SNAT keeps the port where it is free, unless told to choose at random. */
const isSamePort: Fits = (one, { source }) =>
  one.source?.port !== undefined && one.source.port === source.port

/** What is left is tied in order of time. */
const isOfThisPlace: Fits = (one, { destination }) =>
  (one.destination.port === undefined) === (destination.port === undefined)

function withRequested(flow: Flow, asked: Requested | undefined): Flow {
  if (asked === undefined) return flow
  const source = asked.source ?? flow.source
  const [first, ...rest] = flow.hops
  const facts: NatFact[] = [
    ...rewrite('DNAT', asked.netns, asked.destination, flow.destination),
    ...rewrite('SNAT', asked.netns, source, flow.source),
  ]
  if (first === undefined || facts.length === 0) return flow
  const rewritten = {
    ...(same(source, flow.source) ? {} : { source }),
    ...(same(asked.destination, flow.destination) ? {} : { destination: asked.destination }),
  }
  return {
    ...flow,
    source,
    destination: asked.destination,
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
