import { afterStray, isStray } from './strays.js'
import { stepCost } from './steps.js'
import type { TelltaleSighting } from './sightings.js'
import { socketKey } from '../net/socketKey.js'

/** All sightings of one packet on its way, in order. */
export type Trace = TelltaleSighting[]

/** Traces that a sighting is held against: the last ones, so that a flood of equal packets stays affordable. */
const candidates = 64

/**
 * Sorts sightings into packets on their way. Sightings of one identity mostly are one packet; a repeated packet without
 * an IP identification, or one that is equal by chance, is told apart by where it can have come from. What has one of
 * `proxied` as its source or destination (see `socketKey`) is no other packet on its way: a proxy copies datagrams.
 */
export function traceSightings(
  sightings: readonly TelltaleSighting[],
  proxied: ReadonlySet<string> = new Set(),
): Trace[] {
  const groups = new Map<string, TelltaleSighting[]>()
  for (const sighting of sightings) {
    const key = proxied.size === 0 ? sighting.identity.key : keyApart(sighting, proxied)
    const group = groups.get(key)
    if (group) group.push(sighting)
    else groups.set(key, [sighting])
  }
  const traces = [...groups.values()].flatMap(traceGroup)
  return traces.sort(byStart)
}

function keyApart({ identity: { key }, packet }: TelltaleSighting, proxied: ReadonlySet<string>): string {
  const socket = [packet.source, packet.destination].map(socketKey).find((one) => proxied.has(one))
  return socket === undefined ? key : `${key} ${socket}`
}

function byStart([a]: Trace, [b]: Trace): number {
  return a && b ? byTime(a, b) : 0
}

function byTime(a: TelltaleSighting, b: TelltaleSighting): number {
  return a.packet.time - b.packet.time || a.capture - b.capture || a.position - b.position
}

function traceGroup(group: TelltaleSighting[]): Trace[] {
  const traces: Trace[] = []
  group.sort(byTime)
  for (let start = 0; start < group.length;) {
    const time = group[start]?.packet.time
    let end = start + 1
    while (group[end]?.packet.time === time) end += 1
    takeMoment(traces, group.slice(start, end))
    start = end
  }
  return traces
}

/** Takes sightings of one moment: clocks are too coarse to order them, but what follows from what is not. */
function takeMoment(traces: Trace[], moment: TelltaleSighting[]): void {
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
    if (recent.some((trace) => isStray(trace, sighting))) continue
    const strayed = recent.findLast((trace) => afterStray(trace, sighting) !== undefined)
    const kept = strayed && afterStray(strayed, sighting)
    if (strayed && kept !== undefined) strayed.splice(kept, Infinity, sighting)
    else traces.push([sighting])
  }
}

/** Of each capture the first: what one file holds is in order already. */
function headsOf(moment: readonly TelltaleSighting[]): TelltaleSighting[] {
  const [first] = moment
  if (moment.length === 1 && first) return [first]
  const heads = new Map<number, TelltaleSighting>()
  for (const sighting of moment) if (!heads.has(sighting.capture)) heads.set(sighting.capture, sighting)
  return [...heads.values()]
}

function bestStep(
  traces: readonly Trace[],
  heads: readonly TelltaleSighting[],
): { trace: Trace; sighting: TelltaleSighting } | undefined {
  let best: { trace: Trace; sighting: TelltaleSighting } | undefined
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

/** A packet passes an interface once while it stays in a namespace; one more pass is another packet, equal to it. */
function wasThere(trace: Trace, { netns, interface: name, direction }: TelltaleSighting): boolean {
  for (let index = trace.length - 1; trace[index]?.netns === netns; index -= 1) {
    if (trace[index]?.interface === name && trace[index]?.direction === direction) return true
  }
  return false
}

/** Of two packets that may have come this way the one seen last: the kernel takes a packet through before the next. */
function isLater(a: TelltaleSighting, b: TelltaleSighting | undefined): boolean {
  if (b === undefined) return true
  return a.netns === b.netns ? a.position > b.position : a.packet.time > b.packet.time
}

/** A packet starts where its TTL is highest, going out. */
function likelierStart(a: TelltaleSighting, b: TelltaleSighting): TelltaleSighting {
  if (a.packet.ttl !== b.packet.ttl) return a.packet.ttl > b.packet.ttl ? a : b
  return b.direction === 'out' && a.direction === 'in' ? b : a
}
