import type { HostRoute } from '../network/host.js'
import type { Interface, Reached } from '../network/links.js'
import type { Listener } from '../../snapshot/model/state.js'
import { replyTo, sameSocket, sameTuple, tupleText, type TracedPacket } from '../../snapshot/model/packet.js'
import type { End, ErrorPath, Hop, Path, SizeLimit } from '../model/steps.js'
import { portText } from '../rules/matchTransport.js'
import type { Choices } from './choices.js'
import {
  deadEnd,
  end,
  endOfAnswer,
  expired,
  isRequest,
  kernelDrop,
  noRoute,
  notForwarded,
  opaqueEnd,
  type Asked,
} from './ends.js'
import { noHairpin, noListener, noNeighbour, unknownListener } from './absent.js'
import { errorAbout, isIgnored, withIgnoredError, withLostError, withOwnError } from './errors.js'
import { Hooks } from './hooks.js'
import { endOfLater, endOfRepeated, type LaterPacket } from './laterPackets.js'
import type { Prepared } from './prepared.js'
import { encapsulated, type TunnelEnd } from './outerPacket.js'
import { sizeLimit } from './sizeLimit.js'
import { unseenEnd } from './unseenRules.js'
import { answersWell, type Accepted } from './relays.js'
import {
  hopOf,
  isBehindBridge,
  loopbackReason,
  receiversOf,
  martianReason,
  routeStep,
  selectorOf,
  type Visit,
} from './visit.js'

/** More visits than any path has: routes that form a loop end here. */
const mostVisits = 64

/** One connection, followed to its end. */
export interface Walked extends Omit<Path, 'probability' | 'choices' | 'relayed'> {
  /** The proxy that has accepted it. */
  readonly accepted: Accepted | undefined
}

/** Follows one request and its answer through the hosts of a state, with the choices of one path. */
export class Walk {
  readonly #prepared: Prepared
  readonly #hooks: Hooks
  readonly #hops: Hop[] = []
  readonly #caller: string
  readonly #request: TracedPacket
  readonly #limits: SizeLimit[] = []
  readonly #choices: Choices
  #receiver: Path['receiver']
  /** The first packet as it has arrived there. */
  #received: { readonly place: string; readonly packet: TracedPacket } | undefined
  #accepted: Accepted | undefined
  #error: ErrorPath | undefined

  constructor(prepared: Prepared, caller: string, request: TracedPacket, choices: Choices) {
    this.#prepared = prepared
    this.#caller = caller
    this.#request = request
    this.#choices = choices
    this.#hooks = new Hooks(prepared, choices)
  }

  /** Follows the packet to its end. */
  run(): Walked {
    const opened = this.#start(this.#request)
    const error = this.#error
    const reached = this.#laterEnd(opened) ?? this.#repeatedEnd(opened) ?? opened
    const walked = { hops: this.#hops, receiver: this.#receiver, end: reached, accepted: this.#accepted }
    return {
      ...walked,
      ...(error !== undefined && { error }),
      ...(this.#limits.length > 0 && { limits: this.#limits }),
    }
  }

  /** How a connection of TCP fails after its first packets; undefined if it does not. */
  #laterEnd({ kind }: End): End | undefined {
    const received = this.#received
    if (kind !== 'answered' || this.#request.protocol !== 'tcp' || received === undefined) return undefined
    const { place, packet } = received
    const follow = (which: LaterPacket) =>
      this.#aside(() =>
        which === 'answer'
          ? this.#send(place, { ...replyTo(packet, 'answer'), later: 'data' })
          : this.#start({ ...this.#request, later: which }),
      )
    return endOfLater(this.#caller, follow, this.#choices, (run) => this.#hooks.withState(run))
  }

  /**
   * How a request ends whose answer is lost: its sender repeats it, and then connection tracking has seen an answer. Undefined if
   * that changes nothing.
   */
  #repeatedEnd(opened: End): End | undefined {
    const isLost = opened.caller === 'timeout' && this.#received !== undefined
    if (!isLost || this.#request.protocol !== 'tcp') return undefined
    const repeat = () => this.#aside(() => this.#start(this.#request))
    return endOfRepeated(opened, repeat, this.#choices, (run) => this.#hooks.withState(run))
  }

  /** A packet of the caller; or of a host that is not known, whose packets arrive at the caller. */
  #start(packet: TracedPacket): End {
    const device = packet.sender?.arrives
    return device === undefined
      ? this.#send(this.#caller, packet)
      : this.#receive({ place: this.#caller, device }, packet, {})
  }

  /** Whether a packet leaves the caller for the host that is not known, which is where the request has come from. */
  #isBack({ host, packet }: Visit): boolean {
    const { sender, source } = this.#request
    const isOutside = sender?.arrives !== undefined && host.name === this.#caller
    return isOutside && !isRequest(packet) && packet.destination.address === source.address
  }

  /** A packet that a host sends itself. */
  #send(place: string, packet: TracedPacket, tracked?: Visit['tracked']): End {
    const visit = this.#visit(place, packet)
    visit.tracked = tracked
    const why = opaqueEnd(this.#prepared.state, place, packet)
    if (why !== undefined) return this.#stop(visit, why)
    let route = this.#routeOf(visit)
    if ('reason' in route) return this.#stop(visit, route)
    visit.out = route.device
    const stopped = this.#hooks.run(visit, 'output', 'upToNat')
    if (stopped) return this.#stop(visit, stopped)
    if (!sameSocket(visit.packet.destination, packet.destination)) {
      route = this.#routeOf(visit)
      if ('reason' in route) return this.#stop(visit, route)
    }
    visit.steps.push(routeStep(visit, route))
    const stays = route.kind === 'unicast' && loopbackReason(visit, route.device)
    if (stays) return this.#stop(visit, kernelDrop(visit, stays))
    // rules of OUTPUT see the interface of the first route even if nat changes the destination
    const filtered = this.#hooks.run(visit, 'output', 'afterNat')
    if (filtered) return this.#stop(visit, filtered)
    if (visit.stolen === true) return this.#balance(visit)
    visit.out = route.device
    return this.#leave(visit, route)
  }

  /** A packet that arrives on an interface; `bridged` if a bridge would pass it on to another port. */
  #receive(
    at: Interface,
    packet: TracedPacket,
    from: Pick<Visit, 'port' | 'tracked'>,
    bridged?: Reached,
  ): End {
    if (this.#hops.length >= mostVisits)
      return end('dropped', at.place, 'the routes form a loop: the time to live ends', 'unreachable')
    const visit = this.#visit(at.place, packet)
    const { host } = visit
    visit.in = at.device
    visit.port = from.port
    visit.tracked = from.tracked
    if (bridged !== undefined)
      visit.steps.push({ kind: 'link', text: `${at.device} passes it to another port` })
    const why = opaqueEnd(this.#prepared.state, host.name, packet)
    if (why !== undefined) return this.#stop(visit, why)
    const stopped = this.#hooks.run(visit, 'prerouting')
    if (stopped) return this.#stop(visit, stopped)
    const { source, destination } = visit.packet
    if (bridged !== undefined && sameSocket(destination, packet.destination)) {
      visit.out = at.device
      return this.#forward(visit, undefined, bridged)
    }
    // what comes back over lo keeps its route
    const isOwn = at.device === 'lo' || from.tracked !== undefined
    const martian = isOwn ? undefined : martianReason(visit, source.address, destination.address)
    if (martian !== undefined) return this.#stop(visit, kernelDrop(visit, martian))
    const route = host.routeTo(destination.address, selectorOf(visit))
    if (route?.kind === 'local') {
      visit.steps.push(routeStep(visit, route))
      return this.#deliver(visit)
    }
    if (!host.forwards(packet.family, at.device)) return this.#stop(visit, notForwarded(visit))
    if (route === undefined) return this.#stop(visit, noRoute(visit))
    const stopsHere = deadEnd(visit, route)
    if (stopsHere !== undefined) return this.#stop(visit, stopsHere)
    visit.steps.push(routeStep(visit, route))
    const absent = this.#absentBehindBridge(visit, route)
    if (absent !== undefined) return this.#stop(visit, absent)
    const { ttl } = visit.packet
    if (ttl !== undefined && !isBehindBridge(visit, route)) {
      if (ttl <= 1) return this.#stop(visit, expired(visit))
      visit.packet = { ...visit.packet, ttl: ttl - 1 }
    }
    visit.out = route.device
    return this.#forward(visit, route, undefined)
  }

  /**
   * A bridge that passes packets to iptables looks for the neighbour of a rewritten destination before FORWARD, if it is behind the
   * same bridge (br_nf_pre_routing_finish_bridge of Linux).
   */
  #absentBehindBridge(visit: Visit, route: HostRoute): End | undefined {
    const { device, via } = route
    const { host, packet } = visit
    const { address } = packet.destination
    if (!isBehindBridge(visit, route)) return undefined
    const { links, hostOf } = this.#prepared
    const nextHop = via ?? address
    const found = links.neighbours({ place: host.name, device }, nextHop, hostOf)
    return found.length > 0 ? undefined : noNeighbour(visit, links, device, nextHop)
  }

  /** IPVS sends the packet to a real server: the kernel routes it again, and it passes OUTPUT from the start. */
  #balance(visit: Visit): End {
    visit.stolen = false
    const route = this.#routeOf(visit)
    if ('reason' in route) return this.#stop(visit, route)
    visit.steps.push(routeStep(visit, route))
    visit.out = route.device
    const stopped = this.#hooks.run(visit, 'output')
    return stopped ? this.#stop(visit, stopped) : this.#leave(visit, route)
  }

  #forward(visit: Visit, route: HostRoute | undefined, bridged: Reached | undefined): End {
    const stopped = this.#hooks.run(visit, 'forward')
    return stopped ? this.#stop(visit, stopped) : this.#leave(visit, route, bridged)
  }

  /** The last hook, then the link. */
  #leave(visit: Visit, route: HostRoute | undefined, bridged?: Reached): End {
    const device = visit.out ?? ''
    const stopped = this.#hooks.run(visit, 'postrouting', 'all', route)
    if (stopped) return this.#stop(visit, stopped)
    if (this.#isBack(visit)) return this.#stop(visit, endOfAnswer(visit, this.#asked()))
    const { links, hostOf } = this.#prepared
    const from = { place: visit.host.name, device }
    const mtu = links.mtuOf(from)
    const packet = { ...visit.packet, largest: Math.min(visit.packet.largest ?? mtu, mtu) }
    const next = { ...packet, mark: 0 }
    if (device === 'lo' || bridged !== undefined) {
      this.#passed(visit)
      return bridged === undefined
        ? this.#receive(from, packet, { tracked: visit.tracked })
        : this.#receive(bridged, next, {})
    }
    const nextHop = route?.via ?? packet.destination.address
    const tunnel = links.tunnel(from)
    if (tunnel !== undefined) return this.#encapsulate(visit, tunnel, from, nextHop, packet)
    const reached = this.#oneOf(links.neighbours(from, nextHop, hostOf), visit, nextHop)
    if (reached === undefined) return this.#stop(visit, noNeighbour(visit, links, device, nextHop))
    const unknown = unseenEnd(this.#prepared.state, from, reached)
    if (unknown !== undefined) return this.#stop(visit, unknown)
    const last = reached.crossed[0]
    const isBack = visit.in === device && last?.place === from.place && last.to === visit.port
    const isHairpin = last?.to === undefined || links.isHairpin(from.place, last.to)
    if (isBack && last.to !== undefined && isHairpin !== true)
      return this.#stop(visit, noHairpin(visit, device, last.to, isHairpin === false))
    const limit = sizeLimit(visit, links, reached, packet.largest)
    if (limit !== undefined) this.#limits.push(limit)
    this.#passed(visit)
    return this.#cross(reached, next)
  }

  /** The way over bridges: where bridges pass packets to iptables, the namespace of the bridge sees them. */
  #cross(reached: Reached, packet: TracedPacket): End {
    for (const { place, bridge, from, to } of reached.crossed) {
      if (from === undefined) continue
      const isEnd = reached.place === place && reached.device === bridge
      if (isEnd) return this.#receive(reached, packet, { port: from })
      if (to !== undefined && this.#prepared.hostOf(place).filtersBridges(packet.family))
        return this.#receive({ place, device: bridge }, packet, { port: from }, reached)
    }
    return this.#receive(reached, packet, {})
  }

  #encapsulate(visit: Visit, tunnel: TunnelEnd, from: Interface, nextHop: string, packet: TracedPacket): End {
    const outer = encapsulated(visit, tunnel, this.#prepared.links, {
      ...{ packet, nextHop, device: from.device },
    })
    if ('end' in outer) return this.#stop(visit, outer.end)
    this.#passed(visit)
    return this.#send(visit.host.name, outer.packet)
  }

  /** A packet for the host itself. */
  #deliver(visit: Visit): End {
    const stopped = this.#hooks.run(visit, 'input')
    if (stopped) return this.#stop(visit, stopped)
    if (visit.stolen === true) return this.#balance(visit)
    const { host, packet } = visit
    const { destination } = packet
    if (packet.inner !== undefined) return this.#decapsulate(visit, packet.inner)
    if (packet.kind !== 'request') return this.#stop(visit, endOfAnswer(visit, this.#asked()))
    if (packet.later !== undefined) return this.#stop(visit, this.#endOfData(visit))
    const program = this.#prepared.state.programs.get(host.name)
    const listener = this.#listenerOf(visit)
    if (packet.protocol === 'icmp' || listener !== undefined) {
      const name = listener?.name ?? host.name
      const isServer = listener?.relay?.kind === 'status'
      this.#receiver = { name, socket: destination, ...(isServer && { known: true }) }
      this.#received = { place: host.name, packet }
      this.#passed(visit)
      const { relay } = listener ?? {}
      if (relay !== undefined && !(relay.kind === 'status' && answersWell(relay, packet.head)))
        this.#accepted = { relay, name, place: host.name, packet, hops: this.#hops.length }
      return this.#send(host.name, replyTo(packet, 'answer'))
    }
    if (program !== undefined) return this.#stop(visit, unknownListener(visit, program))
    const text = `nothing listens on ${packet.protocol} port ${destination.port && portText(destination.port)}`
    visit.steps.push({ kind: 'link', text })
    if (packet.protocol !== 'tcp') return this.#stop(visit, noListener(visit))
    this.#passed(visit)
    return this.#send(host.name, replyTo(packet, 'reset'))
  }

  /** Which program gets a packet whose port is one of a range is not known. */
  #listenerOf({ host, packet }: Visit): Listener | undefined {
    const found = receiversOf(this.#prepared.state, host.name, packet)
    if (found.length < 2) return found[0]
    const { protocol, destination } = packet
    const question = `which ${protocol} port it gets (${destination.port && portText(destination.port)}):`
    const options = found.map((one) => ({
      name: one === undefined ? 'one where nothing listens' : `${one.port}`,
    }))
    return found[this.#choices.take({ kind: 'unknown', place: host.name, question }, options)]
  }

  /** Data must arrive where the first packet has arrived, from the same sender. */
  #endOfData({ host, packet }: Visit): End {
    const { place, packet: first } = this.#received ?? {}
    const isSame = host.name === place && first !== undefined && sameTuple(packet, first)
    if (isSame) return end('answered', place, 'the data arrive', 'answer')
    return end('misrouted', host.name, `it reaches ${host.name} as ${tupleText(packet)}`, 'timeout')
  }

  #decapsulate(visit: Visit, { tunnel, packet: inner }: NonNullable<TracedPacket['inner']>): End {
    const { host, packet } = visit
    const port = packet.destination.port?.first ?? 0
    const device = this.#prepared.links.tunnelDevice(host.name, tunnel, port)
    this.#passed(visit)
    if (device === undefined)
      return end('dropped', host.name, `no tunnel device takes port ${port}`, 'timeout')
    // the packet inside keeps the mark of the outer one (skb_scrub_packet of Linux)
    return this.#receive({ place: host.name, device }, { ...inner, mark: packet.mark }, {})
  }

  /** Which of several hosts with one address answers first is not known. */
  #oneOf(reached: readonly Reached[], { host }: Visit, address: string): Reached | undefined {
    const places = new Map(reached.map((one) => [one.place, one]))
    if (places.size < 2) return reached[0]
    const question = { kind: 'unknown', place: host.name, question: `who has ${address}:` } as const
    const options = [...places.keys()].map((name) => ({ name }))
    return [...places.values()][this.#choices.take(question, options)]
  }

  /** The route of a packet; or its end, if it has none. */
  #routeOf(visit: Visit): HostRoute | End {
    const route = visit.host.routeTo(visit.packet.destination.address, selectorOf(visit))
    return route === undefined ? noRoute(visit) : (deadEnd(visit, route) ?? route)
  }

  #visit(place: string, packet: TracedPacket): Visit {
    return { host: this.#prepared.hostOf(place), packet, before: packet, steps: [] }
  }

  #passed(visit: Visit): void {
    this.#hops.push(hopOf(visit))
  }

  #stop(visit: Visit, reached: End): End {
    visit.out = undefined
    this.#passed(visit)
    return this.#withError(visit, reached)
  }

  /** Follows the error that a host sends about a request back to the caller, who gets nothing if a rule drops it. */
  #withError(visit: Visit, reached: End): End {
    const sent = errorAbout(visit, reached)
    if (sent === undefined) return withOwnError(visit, reached)
    const first = this.#hops.length
    const lost = this.#aside(() => {
      const end = this.#send(visit.host.name, sent.packet, sent.tracked)
      this.#error = { name: sent.name, icmp: sent.packet.icmp, hops: this.#hops.slice(first) }
      return end
    })
    const arrives = lost.kind === 'answered' || lost.kind === 'refused'
    if (!arrives) return withLostError(reached, lost)
    return isIgnored(sent.packet) ? withIgnoredError(reached) : reached
  }

  /** Follows a packet whose hops are no part of the path. */
  #aside(follow: () => End): End {
    const [hops, limits] = [this.#hops.length, this.#limits.length]
    const reached = follow()
    this.#hops.length = hops
    this.#limits.length = limits
    return reached
  }

  #asked(): Asked {
    const receiver = this.#hops.findLast(({ packet }) => packet === 'request')
    return { caller: this.#caller, request: this.#request, receiver: this.#receiver?.name, last: receiver }
  }
}
