import type { PacketHeader } from '../../netfilter/trace/header.js'
import { socketText } from '../../net/socketText.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import { fitsPort } from './fits.js'
import type { SeenHop } from './model.js'

/** What the kernel reports of one packet of a connection and the packet that answers it. */
export interface SeenExchange {
  /** By place, in the order in which the packets came there; those of tunnels included. */
  readonly hops: ReadonlyMap<string, readonly SeenHop[]>
  readonly protocol?: PacketHeader['protocol'] | undefined
  /** ICMP errors about the packet that have arrived at the caller. */
  readonly errors: readonly SeenHop[]
  /** What the caller has got, if anything. */
  readonly answer?: PacketHeader | undefined
  /** Whether a packet belongs to the connection, in either direction. */
  readonly holds: (header: PacketHeader) => boolean
}

/** The tunnels of the network: their devices by place, and the UDP port of their packets. */
export interface Tunnels {
  readonly ports: ReadonlySet<number>
  readonly isDevice: (place: string, device: string) => boolean
}

/**
 * The packets of one request among all that were traced: the first one that `from` sends to its destination, and every packet
 * with the ends that it has had somewhere, in both directions. Repetitions of a lost packet are left out. Undefined if `from`
 * has sent no such packet.
 */
export function seenExchange(
  all: ReadonlyMap<string, readonly SeenHop[]>,
  from: string,
  request: TracedPacket,
  tunnels: Tunnels,
): SeenExchange | undefined {
  const first = all.get(from)?.find((hop) => begins(hop, request))
  if (first === undefined) return undefined
  const ends = new Set<string>()
  const add = ({ source, destination }: PacketHeader) => {
    ends
      .add(`${socketText(source)} ${socketText(destination)}`)
      .add(`${socketText(destination)} ${socketText(source)}`)
  }
  const isOurs = ({ protocol, source, destination }: PacketHeader) =>
    protocol === first.before.protocol && ends.has(`${socketText(source)} ${socketText(destination)}`)
  add(first.before)
  const everywhere = [...all.values()].flat()
  for (let known = -1; known !== ends.size;) {
    known = ends.size
    for (const { before, after } of everywhere)
      if (isOurs(before) || isOurs(after)) {
        add(before)
        add(after)
      }
  }
  // a reset of a connection that was accepted ends it; a prediction is about how it begins
  const accepted = everywhere.some(
    ({ before }) => isOurs(before) && before.tcp?.syn === true && before.tcp.ack,
  )
  const isFirst = ({ tcp }: PacketHeader) => tcp === undefined || tcp.syn || (tcp.rst && !accepted)
  const isRepeated = repetitions(first)
  const selected = new Map(
    [...all].map(([place, hops]) => {
      const own = hops.filter(
        ({ before }) => isOurs(before) && isFirst(before) && !isError(before) && !isAbort(before),
      )
      return [place, own.filter((hop) => !isRepeated(hop))] as const
    }),
  )
  const hops = withTunnels(all, selected, tunnels)
  const own = all.get(from) ?? []
  // an error after a reset of the caller is about that reset
  const aborted = own.some(
    ({ in: incoming, before }) => incoming === undefined && isOurs(before) && isAbort(before),
  )
  const arrived = aborted ? [] : own.filter(({ end }) => end === 'delivered')
  const sent = own.filter(({ in: incoming, before }) => incoming === undefined && isOurs(before))
  const errors = arrived.filter(
    ({ after }) => isUnreachable(after) && sent.some(({ before }) => isAbout(after, before)),
  )
  const answer = hops
    .get(from)
    ?.find(({ end, after }) => end === 'delivered' && isAnswer(after, first.before))
  const { protocol } = first.before
  return { hops, protocol, errors, answer: answer?.after ?? errors[0]?.after, holds: isOurs }
}

function begins({ in: incoming, before }: SeenHop, { protocol, source, destination }: TracedPacket): boolean {
  return (
    incoming === undefined &&
    before.protocol === protocol &&
    before.destination.address === destination.address &&
    fitsPort(destination.port, before.destination.port) &&
    fitsPort(source.port, before.source.port) &&
    before.tcp?.ack !== true &&
    !isError(before)
  )
}

/** Messages of ICMP that are no echo. */
function isError({ icmp }: PacketHeader): boolean {
  return icmp !== undefined && ![0, 8, 128, 129].includes(icmp.type)
}

/** Destination unreachable, time exceeded, or of ICMPv6 an unknown protocol; redirects are no answer. */
function isUnreachable({ icmp }: PacketHeader): boolean {
  return icmp !== undefined && [1, 3, 4, 11].includes(icmp.type)
}

/** Whether an error is about a packet; of the packet inside, a trace holds the first 12 bytes. */
function isAbout(
  { destination, icmp }: PacketHeader,
  { source, identification, flowLabel }: PacketHeader,
): boolean {
  if (destination.address !== source.address) return false
  return icmp?.about === undefined || icmp.about === (identification ?? flowLabel)
}

/** A reset for an answer that its receiver has not requested: one for a request has the flag ACK too. */
function isAbort({ tcp }: PacketHeader): boolean {
  return tcp?.rst === true && !tcp.ack
}

function isAnswer({ source, tcp, icmp }: PacketHeader, request: PacketHeader): boolean {
  if (socketText(source) !== socketText(request.destination)) return false
  if (icmp !== undefined) return icmp.type === 0 || icmp.type === 129
  return tcp?.ack !== false
}

/** Whether a packet is the same one again, which its sender has repeated. */
function repetitions(first: SeenHop): (hop: SeenHop) => boolean {
  const seen = new Set<string>()
  const isRequest = ({ tcp, icmp }: PacketHeader) =>
    tcp !== undefined ? tcp.syn && !tcp.ack : icmp === undefined || icmp.type === 8 || icmp.type === 128
  return ({ place, in: incoming, before }) => {
    const { identification } = before
    if (isRequest(before) && isRequest(first.before) && before.tcp !== undefined)
      if (identification !== first.before.identification) return true
    const { tcp, icmp, source, destination } = before
    // a reset after an answer ends the connection
    const kind = tcp === undefined ? (icmp?.type ?? '') : isRequest(before)
    const key = `${place} ${incoming} ${socketText(source)} ${socketText(destination)} ${kind}`
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}

/**
 * Adds the packets of tunnels: a packet that leaves by a tunnel’s device is, on this host, followed by the packet around it,
 * which has the same ends and identification everywhere.
 */
function withTunnels(
  all: ReadonlyMap<string, readonly SeenHop[]>,
  selected: ReadonlyMap<string, readonly SeenHop[]>,
  { ports, isDevice }: Tunnels,
): ReadonlyMap<string, readonly SeenHop[]> {
  const isOuter = ({ before }: SeenHop) =>
    before.protocol === 'udp' && ports.has(before.destination.port ?? 0)
  const outer: SeenHop[] = []
  for (const [place, hops] of selected)
    for (const inner of hops) {
      if (inner.out === undefined || !isDevice(place, inner.out)) continue
      const later = all.get(place)?.slice((all.get(place)?.indexOf(inner) ?? 0) + 1)
      const around = later?.find((hop) => hop.in === undefined && isOuter(hop))
      if (around !== undefined) outer.push(around)
    }
  const same = (a: PacketHeader, b: PacketHeader) =>
    a.identification === b.identification &&
    socketText(a.source) === socketText(b.source) &&
    socketText(a.destination) === socketText(b.destination)
  return new Map(
    [...all].map(([place, hops]) => {
      const own = selected.get(place) ?? []
      return [
        place,
        hops.filter(
          (hop) =>
            own.includes(hop) ||
            (isOuter(hop) &&
              outer.some(({ before, after }) => same(before, hop.before) || same(after, hop.before))),
        ),
      ]
    }),
  )
}
