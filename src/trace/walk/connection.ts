import {
  samePorts,
  sameSocket,
  sameTuple,
  type TracedPacket,
  type TracedSocket,
  type Tuple,
} from '../../snapshot/model/packet.js'
import type { KnownConnection } from '../../snapshot/model/state.js'

/** A zone of connection tracking: of both directions, or of the packets of one; the others are in zone 0. */
export interface Zone {
  readonly id: number
  readonly direction?: 'original' | 'reply' | undefined
}

/** What a rule chooses for a packet before connection tracking: its zone, if any (a template of nf_conntrack of Linux). */
export interface Template {
  readonly zone?: Zone | undefined
  /** Whether the packet’s mark is the number of the zone. */
  readonly isMark?: boolean | undefined
}

/** The zone in which a packet with this mark is tracked. */
export function chosenZone({ zone, isMark }: Template, mark: number): Zone | undefined {
  return zone && (isMark === true ? { ...zone, id: mark & 0xffff } : zone)
}

/** The number of the zone of one direction. */
export function zoneIn(zone: Zone | undefined, direction: 'original' | 'reply'): number {
  return zone === undefined || (zone.direction ?? direction) !== direction ? 0 : zone.id
}

/** An entry of connection tracking while a prediction runs. */
export interface Connection {
  readonly protocol: string
  /** The packet inside, for a tunnel: it decides the outer source port, which is known only as a range. */
  readonly inner?: Tuple | undefined
  readonly original: Tuple
  /** The packets that answer: NAT changes it. */
  reply: Tuple
  mark: number
  /** Sides for which the rules of nat have been evaluated. */
  readonly evaluated: Set<'source' | 'destination'>
  /** Sides that were rewritten. */
  readonly rewritten: Set<'source' | 'destination'>
  /** Whether a packet in the direction of the answer has been seen. */
  answered: boolean
  /** Whether packets of TCP have followed the handshake. */
  assured?: boolean
  readonly zone?: Zone | undefined
  /** Whether its first packet has passed the last hook. */
  confirmed: boolean
  /** Whether an earlier packet made it. */
  readonly earlier?: true
  /** Whether it begins with a packet that begins no connection (nf_conntrack_tcp_loose of Linux). */
  readonly loose?: true
}

/** A packet's connection, and its direction in it. */
export interface Tracked {
  readonly connection: Connection
  readonly direction: 'original' | 'reply'
  /** An error about a packet of the connection. */
  readonly related?: true
}

/** The connections of one host. */
export class Conntrack {
  readonly #connections: Connection[]
  readonly #earlier: readonly KnownConnection[]

  constructor(
    earlier: readonly KnownConnection[] = [],
    /** Whether IPVS rewrites a connection. */
    isBalanced: (known: KnownConnection) => boolean = () => false,
  ) {
    this.#earlier = earlier
    const continued = earlier.filter(({ protocol }) => protocol === 'udp')
    this.#connections = continued.map((known) => {
      const { protocol, original, reply, answered } = known
      return {
        ...{ protocol, original, reply, mark: 0, answered, confirmed: true, earlier: true },
        evaluated: new Set(['source', 'destination'] as const),
        rewritten: new Set([
          ...(sameSocket(reply.source, original.destination) || isBalanced(known)
            ? []
            : (['destination'] as const)),
          ...(sameSocket(reply.destination, original.source) ? [] : (['source'] as const)),
        ]),
      }
    })
  }

  /** Finds the packet's connection; a first packet makes one. Undefined for an answer to nothing. */
  track(packet: TracedPacket, zone?: Zone): Tracked | undefined {
    if (packet.kind === 'error') return this.#related(packet, zone)
    const isIn = (connection: Connection, direction: 'original' | 'reply') =>
      zoneIn(connection.zone, direction) === zoneIn(zone, direction)
    for (const connection of this.#connections) {
      if (connection.protocol !== packet.protocol || !sameInner(connection, packet)) continue
      // both directions have the same ends where a host pings itself
      const isReply = sameTuple(connection.reply, packet) && isIn(connection, 'reply')
      const isBoth = isReply && packet.kind === 'answer'
      if (!isBoth && sameTuple(connection.original, packet) && isIn(connection, 'original')) {
        // without the answer, what follows is invalid (tcp_conntracks of Linux)
        const isEarly = packet.later !== undefined && !connection.answered && connection.loose !== true
        if (isEarly) return undefined
        if (packet.later !== undefined && connection.loose !== true) connection.assured = true
        return { connection, direction: 'original' }
      }
      if (isReply) {
        connection.answered = true
        return { connection, direction: 'reply' }
      }
    }
    // a SYN-ACK or an echo reply begins no connection; a datagram does
    const begins = packet.kind === 'request' || packet.protocol === 'udp' || packet.later !== undefined
    if (!begins) return undefined
    const { source, destination } = packet
    const connection: Connection = {
      protocol: packet.protocol,
      inner: packet.inner?.packet,
      zone,
      original: { source, destination },
      reply: { source: destination, destination: source },
      mark: 0,
      evaluated: new Set(),
      rewritten: new Set(),
      answered: false,
      confirmed: false,
      ...(packet.later !== undefined && { loose: true }),
    }
    this.#connections.push(connection)
    return { connection, direction: 'original' }
  }

  /** The connection that an error is about (nf_conntrack_inet_error of Linux). */
  #related({ about }: TracedPacket, zone: Zone | undefined): Tracked | undefined {
    const connection = this.#connections.find(
      ({ protocol, reply, zone: own }) =>
        about !== undefined &&
        zoneIn(own, 'reply') === zoneIn(zone, 'reply') &&
        protocol === about.protocol &&
        sameSocket(reply.source, about.destination) &&
        sameSocket(reply.destination, about.source),
    )
    return connection && { connection, direction: 'reply', related: true }
  }

  /**
   * Whether other connections to the same receiver use every port that a rule allows as source port (nf_nat_l4proto_unique_tuple
   * of Linux, which then drops the packet). Without such a rule the kernel chooses among too many ports.
   */
  isExhausted({ protocol, original, reply, zone }: Connection, to: TracedSocket): boolean {
    const { address, port } = to
    if (zone !== undefined || port === undefined || samePorts(to, original.source)) return false
    const used = this.#earlier.flatMap(({ protocol: own, reply: { source, destination }, closed }) => {
      const number = destination.port?.first ?? -1
      const isSame =
        own === protocol &&
        closed !== true &&
        destination.address === address &&
        sameSocket(source, reply.source)
      return isSame && port.first <= number && number <= port.last ? [number] : []
    })
    return new Set(used).size > port.last - port.first
  }

  /**
   * Whether another connection has the tuple of the answers to this one: where no rule chooses the source port, the kernel then
   * chooses another one (get_unique_tuple of Linux).
   */
  isTaken({ protocol, reply, zone }: Connection): boolean {
    return this.#earlier.some(
      (other) =>
        zone === undefined &&
        other.protocol === protocol &&
        (sameTuple(other.reply, reply) || sameTuple(other.original, reply)),
    )
  }
}

function sameInner({ inner }: Connection, { inner: own }: TracedPacket): boolean {
  return inner === undefined || own === undefined ? inner === own?.packet : sameTuple(inner, own.packet)
}

/** The states for which `-m conntrack --ctstate` matches. */
export function ctStates(tracked: Tracked | 'untracked' | undefined, template?: Template): readonly string[] {
  if (tracked === 'untracked') return ['UNTRACKED']
  if (tracked === undefined) return template === undefined ? ['INVALID'] : ['NEW']
  const { connection, related } = tracked
  return [
    related === true ? 'RELATED' : connection.answered ? 'ESTABLISHED' : 'NEW',
    ...(connection.rewritten.has('source') ? ['SNAT'] : []),
    ...(connection.rewritten.has('destination') ? ['DNAT'] : []),
  ]
}

/** Records that a rule rewrites one side of a connection. */
export function rewrite(connection: Connection, side: 'source' | 'destination', to: TracedSocket): void {
  connection.rewritten.add(side)
  // the answer comes from the rewritten destination, and goes to the rewritten source
  connection.reply =
    side === 'destination' ? { ...connection.reply, source: to } : { ...connection.reply, destination: to }
}

/** What a side of the packet becomes at a hook that rewrites this side; undefined if it stays. */
export function translated(
  { connection, direction }: Tracked,
  side: 'source' | 'destination',
): TracedSocket | undefined {
  const { rewritten, original, reply } = connection
  if (direction === 'original') {
    if (!rewritten.has(side)) return undefined
    return side === 'destination' ? reply.source : reply.destination
  }
  // an answer's source was the destination
  const other = side === 'source' ? 'destination' : 'source'
  if (!rewritten.has(other)) return undefined
  return side === 'source' ? original.destination : original.source
}
