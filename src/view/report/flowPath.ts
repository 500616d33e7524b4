import { familyOf } from '../../net/ipFamily.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { socketText } from '../../net/socketText.js'
import type { Flow, Hop as SeenHop } from '../../packets/types.js'
import { onePort, type TracedPacket, type TracedSocket, type Tuple } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Hop, Path, Step } from '../../trace/model/steps.js'
import { sameIcmp } from '../../trace/observed/fits.js'
import { predict } from '../../trace/predict.js'
import type { FlowPath, PredictedFlow } from './document.js'

/**
 * Predicts the paths of the first packet of a flow and of its answer, and returns the path that fits the captured packets best:
 * the one with the fewest of them beside it, and of several the most probable. A pure function.
 */
export function explainFlow(state: TraceState, flow: Flow): FlowPath {
  const from = flow.hops[0]?.netns
  const packet = packetOf(flow)
  if (from === undefined || packet === undefined) return { unknown: 'no packet of it was captured' }
  const { paths } = predict(state, from, packet)
  const all = paths.map((path) => judged(path, flow, paths.length))
  const [best] = all.toSorted(
    (a, b) =>
      a.differing.length - b.differing.length ||
      b.seen - a.seen ||
      Number(fitsEnd(b.path, flow)) - Number(fitsEnd(a.path, flow)) ||
      b.path.probability - a.path.probability,
  )
  if (best === undefined) return { unknown: 'no path is predicted' }
  const { end } = best.path
  if (end.kind === 'untraceable' && best.path.hops.length === 0) return { unknown: end.reason }
  const passedOn = (flow.passedOn ?? []).map((one) =>
    one.flow === undefined ? { unknown: 'its connection was opened before' } : explainFlow(state, one.flow),
  )
  return { ...best, path: withSeenPorts(best.path, flow), passedOn }
}

function packetOf({ protocol, source, destination }: Flow): TracedPacket | undefined {
  if (protocol === 'other') return undefined
  const isIcmp = protocol === 'icmp' || protocol === 'icmpv6'
  const socket = ({ address, port }: SocketAddress): TracedSocket =>
    isIcmp || port === undefined ? { address } : { address, port: onePort(port) }
  return {
    ...{ family: familyOf(source.address), protocol: isIcmp ? 'icmp' : protocol, kind: 'request', mark: 0 },
    source: socket(source),
    destination: socket(destination),
  }
}

function judged(path: Path, flow: Flow, paths: number): PredictedFlow {
  const places = new Set(path.hops.map(({ place }) => place))
  // a bridge floods packets to an address that it does not know
  const isFlooded = ({ netns }: SeenHop) => path.end.kind === 'unreachable' && !places.has(netns)
  const { error } = path
  const hops = [...path.hops, ...(error?.hops ?? [])]
  const isOther = ({ icmp }: SeenHop) => icmp && error?.icmp && !sameIcmp(icmp, error.icmp)
  const isOff = (one: SeenHop) =>
    !isFlooded(one) && (isOther(one) === true || !hops.some((hop) => isAt(hop, one)))
  const seen = [...flow.hops, ...flow.replyHops]
  const off = seen.filter(isOff)
  const counted = {
    path,
    paths,
    seen: seen.length,
    differing: off.map(seenText),
    beyond: nothing,
    passedOn: [],
  }
  if (path.end.kind !== 'untraceable') return counted
  const beyond = { hops: flow.hops.filter(isOff), replyHops: flow.replyHops.filter(isOff) }
  return { ...counted, seen: seen.length - off.length, differing: [], beyond }
}

const nothing: PredictedFlow['beyond'] = { hops: [], replyHops: [] }

/** Whether a captured packet is the one of a predicted hop, of a tunnel, the outer one. */
function isAt(hop: Hop, { netns, source, destination, tunnel }: SeenHop): boolean {
  if (hop.place !== netns) return false
  if (tunnel !== undefined && hop.packet === 'tunnel')
    return (
      hop.before.source.address === tunnel.source.address &&
      hop.before.destination.address === tunnel.destination.address
    )
  const fits = (tuple: Tuple) =>
    fitsSocket(tuple.source, source) && fitsSocket(tuple.destination, destination)
  return tuplesOf(hop).some(fits)
}

/** A packet as it arrives, after each rewrite, and as it leaves: with br_netfilter, bridges see it between two rewrites. */
function tuplesOf({ before, after, steps }: Hop): Tuple[] {
  const all = [before]
  let tuple = before
  for (const step of steps)
    if ((step.kind === 'nat' || step.kind === 'balance') && step.to !== undefined)
      all.push((tuple = { ...tuple, [step.side]: step.to }))
  return [...all, after]
}

function fitsSocket({ address, port }: TracedSocket, seen: SocketAddress): boolean {
  if (address !== seen.address) return false
  return port === undefined || seen.port === undefined || (port.first <= seen.port && seen.port <= port.last)
}

function fitsEnd({ end }: Path, { outcome }: Flow): boolean {
  switch (end.caller) {
    case 'answer':
      return outcome === 'answered'
    case 'connection refused':
    case 'reset':
      return outcome === 'refused' || outcome === 'reset'
    case 'protocol error':
      return outcome === 'answered' || outcome === 'reset'
    case 'unreachable':
      return outcome === 'unreachable' || outcome === 'unanswered'
    case 'timeout':
      return outcome === 'unanswered'
    case 'unknown':
      return false
  }
}

function seenText({ netns, interface: device, direction, source, destination, icmp }: SeenHop): string {
  const message = icmp === undefined ? '' : ` (ICMP type ${icmp.type} code ${icmp.code})`
  return `${netns} ${device} ${direction}: ${socketText(source)} → ${socketText(destination)}${message}`
}

/**
 * Replaces ranges of ports, which masquerading chooses from, by the port that was captured. It is that of a packet whose other end is
 * the predicted one too: the address of a node has several ports in a flow, such as the node port that was called.
 */
function withSeenPorts(path: Path, { hops, replyHops }: Flow): Path {
  const seen = [...hops, ...replyHops]
  const chosen = new Map<string, TracedSocket>()
  const { hops: own, error } = path
  for (const tuple of [...own, ...(error?.hops ?? [])].flatMap(tuplesOf))
    for (const side of ['source', 'destination'] as const) {
      if (!isRange(tuple[side]) || chosen.has(rangeKey(tuple[side]))) continue
      const found = seen.find(
        ({ source, destination }) =>
          fitsSocket(tuple.source, source) && fitsSocket(tuple.destination, destination),
      )
      const port = found?.[side].port
      if (port !== undefined) chosen.set(rangeKey(tuple[side]), { ...tuple[side], port: onePort(port) })
    }
  const socket = (given: TracedSocket): TracedSocket =>
    isRange(given) ? (chosen.get(rangeKey(given)) ?? given) : given
  const tuple = ({ source, destination }: Tuple): Tuple => ({
    source: socket(source),
    destination: socket(destination),
  })
  const step = (one: Step): Step => {
    if (one.kind === 'nat') return { ...one, from: socket(one.from), to: socket(one.to) }
    if (one.kind === 'balance') return { ...one, from: socket(one.from), to: one.to && socket(one.to) }
    if (one.kind === 'entry') return { ...one, original: tuple(one.original), reply: tuple(one.reply) }
    return one
  }
  const hop = (one: Hop): Hop => ({
    ...one,
    before: tuple(one.before),
    after: tuple(one.after),
    steps: one.steps.map(step),
  })
  return { ...path, hops: own.map(hop), ...(error && { error: { ...error, hops: error.hops.map(hop) } }) }
}

/** A socket with its range of ports, which its text leaves out. */
function rangeKey({ address, port }: TracedSocket): string {
  return `${address} ${port?.first}-${port?.last}`
}

function isRange({ port }: TracedSocket): boolean {
  return port !== undefined && port.first !== port.last
}
