import { stepCost, direct } from './steps.js'
import type { IdentifiedSighting, Sighting } from './sightings.js'
import { socketKey } from '../net/socketKey.js'

/** All sightings of one packet, in order. */
export type Trace = IdentifiedSighting[]

/** Number of recent traces that a sighting is compared with; it limits the cost of many equal packets. */
const candidates = 64

/**
 * Groups sightings by packet. Sightings of one identity are mostly one packet; a retransmission without an IP
 * identification, or a packet that is equal by chance, is distinguished by where it can have come from. Packets with one
 * of `proxied` as source or destination (see `socketKey`) are grouped separately, because a proxy copies datagrams.
 */
export function traceSightings(
  sightings: readonly IdentifiedSighting[],
  proxied: ReadonlySet<string> = new Set(),
): Trace[] {
  const groups = new Map<string, IdentifiedSighting[]>()
  for (const sighting of sightings) {
    const key = proxied.size === 0 ? sighting.identity.key : proxiedKey(sighting, proxied)
    const group = groups.get(key)
    if (group) group.push(sighting)
    else groups.set(key, [sighting])
  }
  const traces = [...groups.values()].flatMap(traceGroup)
  return traces.sort(byStart)
}

function proxiedKey({ identity: { key }, packet }: IdentifiedSighting, proxied: ReadonlySet<string>): string {
  const socket = [packet.source, packet.destination].map(socketKey).find((one) => proxied.has(one))
  return socket === undefined ? key : `${key} ${socket}`
}

function byStart([a]: Trace, [b]: Trace): number {
  return a && b ? byTime(a, b) : 0
}

function byTime(a: IdentifiedSighting, b: IdentifiedSighting): number {
  return a.packet.time - b.packet.time || a.capture - b.capture || a.position - b.position
}

function traceGroup(group: IdentifiedSighting[]): Trace[] {
  const traces: Trace[] = []
  group.sort(byTime)
  for (let start = 0; start < group.length;) {
    const time = group[start]?.packet.time
    let end = start + 1
    while (group[end]?.packet.time === time) end += 1
    addSimultaneous(traces, group.slice(start, end))
    start = end
  }
  return traces
}

/** Adds sightings with the same timestamp, in the order of the most likely steps. */
function addSimultaneous(traces: Trace[], moment: IdentifiedSighting[]): void {
  while (moment.length > 0) {
    const heads = headsOf(moment)
    const step = bestStep(traces, heads)
    if (step !== undefined) {
      step.trace.push(step.sighting)
      moment.splice(moment.indexOf(step.sighting), 1)
      continue
    }
    const sighting = heads.reduce(likelierStart)
    moment.splice(moment.indexOf(sighting), 1)
    const recent = traces.slice(-candidates)
    if (recent.some((trace) => isFloodedCopy(trace, sighting))) continue
    const strayed = recent.findLast((trace) => afterFloodedCopy(trace, sighting) !== undefined)
    const kept = strayed && afterFloodedCopy(strayed, sighting)
    if (strayed && kept !== undefined) strayed.splice(kept, Infinity, sighting)
    else traces.push([sighting])
  }
}

/** The first sighting of each capture, because each file is already in order. */
function headsOf(moment: readonly IdentifiedSighting[]): IdentifiedSighting[] {
  const [first] = moment
  if (moment.length === 1 && first) return [first]
  const heads = new Map<number, IdentifiedSighting>()
  for (const sighting of moment) if (!heads.has(sighting.capture)) heads.set(sighting.capture, sighting)
  return [...heads.values()]
}

function bestStep(
  traces: readonly Trace[],
  heads: readonly IdentifiedSighting[],
): { trace: Trace; sighting: IdentifiedSighting } | undefined {
  let best: { trace: Trace; sighting: IdentifiedSighting } | undefined
  let bestCost = Infinity
  for (let index = traces.length - 1; index >= Math.max(0, traces.length - candidates); index -= 1) {
    const trace = traces[index]
    const last = trace?.at(-1)
    if (!trace || !last) continue
    for (const sighting of heads) {
      const cost = stepCost(last, sighting)
      if (cost === undefined || cost > bestCost || wasThere(trace, sighting)) continue
      if (cost === bestCost && best && !isLater(last, best.trace.at(-1))) continue
      best = { trace, sighting }
      bestCost = cost
    }
  }
  return best
}

/** A packet passes each interface of a namespace once; a second pass is another, equal packet. */
function wasThere(trace: Trace, { netns, interface: name, direction }: IdentifiedSighting): boolean {
  for (let index = trace.length - 1; trace[index]?.netns === netns; index -= 1) {
    if (trace[index]?.interface === name && trace[index]?.direction === direction) return true
  }
  return false
}

/** Of two possible packets, prefer the one seen last: the kernel processes a packet completely before the next. */
function isLater(a: IdentifiedSighting, b: IdentifiedSighting | undefined): boolean {
  if (b === undefined) return true
  return a.netns === b.netns ? a.position > b.position : a.packet.time > b.packet.time
}

/** A packet starts where it goes out with the highest TTL. */
function likelierStart(a: IdentifiedSighting, b: IdentifiedSighting): IdentifiedSighting {
  if (a.packet.ttl !== b.packet.ttl) return a.packet.ttl > b.packet.ttl ? a : b
  return b.direction === 'out' && a.direction === 'in' ? b : a
}

/*
 * A bridge that has not learned the port of an address yet floods a frame to all its ports. Other namespaces receive a
 * copy too, with packet type "otherhost", and drop it.
 */

/** True when `sighting` is a flooded copy of a packet that continued elsewhere. */
function isFloodedCopy(trace: readonly Sighting[], sighting: Sighting): boolean {
  if (sighting.packet.type !== 'otherhost') return false
  if (trace.some(({ netns }) => netns === sighting.netns)) return false
  return trace.some((earlier) => stepCost(earlier, sighting) === direct && earlier.netns !== sighting.netns)
}

/**
 * If the trace ends with a flooded copy and `sighting` is the actual packet, the number of sightings before the copy;
 * otherwise undefined.
 */
function afterFloodedCopy(trace: readonly Sighting[], sighting: Sighting): number | undefined {
  const last = trace.at(-1)
  if (last === undefined || last.netns === sighting.netns || sighting.direction !== 'in') return undefined
  const before = trace.findLastIndex(({ netns }) => netns !== last.netns)
  const copy = trace.slice(before + 1)
  if (!copy.every(({ packet, direction }) => packet.type === 'otherhost' && direction === 'in'))
    return undefined
  const origin = trace[before]
  return origin !== undefined && stepCost(origin, sighting) === direct ? before + 1 : undefined
}
