import { routeText, type HostRoute } from '../network/host.js'
import type { Interface, Reached } from '../network/links.js'
import { sameSocket, type TracedPacket } from '../model/packet.js'
import type { End, Hop, Path, SizeLimit } from '../model/steps.js'
import type { Choices } from './choices.js'
import { end, endOfAnswer, kernelDrop, noRoute, notForwarded, opaqueEnd, type Asked } from './ends.js'
import { leavesLab, noHairpin, noListener, noNeighbour, unknownListener } from './absent.js'
import { Hooks, natPriority } from './hooks.js'
import type { Prepared } from './prepared.js'
import { outerPacket, type TunnelEnd } from './outerPacket.js'
import { sizeLimit } from './sizeLimit.js'
import { hopOf, loopbackReason, receiverOf, martianReason, selectorOf, type Visit } from './visit.js'

/** More visits than any path has: routes that form a loop end here. */
const mostVisits = 64

/** Follows one request and its answer through the hosts of a state, with the choices of one path. */
export class Walk {
  readonly #prepared: Prepared
  readonly #choices: Choices
  readonly #hooks: Hooks
  readonly #hops: Hop[] = []
  readonly #caller: string
  readonly #request: TracedPacket
  readonly #limits: SizeLimit[] = []
  #receiver: Path['receiver']

  constructor(prepared: Prepared, caller: string, request: TracedPacket, choices: Choices) {
    this.#prepared = prepared
    this.#caller = caller
    this.#request = request
    this.#choices = choices
    this.#hooks = new Hooks(prepared, choices)
  }

  /** Follows the packet to its end. */
  run(): Path {
    const reached = this.#send(this.#caller, this.#request)
    const choices = this.#choices.taken.map(({ choice }) => choice)
    const probability = choices.reduce((product, { probability = 1 }) => product * probability, 1)
    const path = { probability, choices, hops: this.#hops, receiver: this.#receiver, end: reached }
    return this.#limits.length === 0 ? path : { ...path, limits: this.#limits }
  }

  /** A packet that a host sends itself. */
  #send(place: string, packet: TracedPacket): End {
    const visit = this.#visit(place, packet)
    const { host } = visit
    const why = opaqueEnd(this.#prepared.state, place)
    if (why !== undefined) return this.#stop(visit, why)
    let route = host.routeTo(packet.destination.address, selectorOf(visit))
    if (route === undefined) return this.#stop(visit, noRoute(visit))
    visit.out = route.device
    const stopped = this.#hooks.run(visit, 'output', { upTo: natPriority })
    if (stopped) return this.#stop(visit, stopped)
    if (!sameSocket(visit.packet.destination, packet.destination)) {
      route = host.routeTo(visit.packet.destination.address, selectorOf(visit))
      if (route === undefined) return this.#stop(visit, noRoute(visit))
    }
    this.#routed(visit, route)
    const stays = route.kind === 'unicast' && loopbackReason(visit, route.device)
    if (stays) return this.#stop(visit, kernelDrop(visit, stays))
    // rules of OUTPUT see the interface of the first route even if nat changes the destination
    const filtered = this.#hooks.run(visit, 'output', { above: natPriority })
    if (filtered) return this.#stop(visit, filtered)
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
    const overLoopback = from.tracked !== undefined
    visit.tracked = from.tracked
    if (bridged !== undefined)
      visit.steps.push({ kind: 'link', text: `${at.device} passes it to another port` })
    const why = opaqueEnd(this.#prepared.state, host.name)
    if (why !== undefined) return this.#stop(visit, why)
    const stopped = this.#hooks.run(visit, 'prerouting')
    if (stopped) return this.#stop(visit, stopped)
    const { source, destination } = visit.packet
    if (bridged !== undefined && sameSocket(destination, packet.destination)) {
      visit.out = at.device
      return this.#forward(visit, undefined, bridged)
    }
    const martian = overLoopback ? undefined : martianReason(visit, source.address, destination.address)
    if (martian !== undefined) return this.#stop(visit, kernelDrop(visit, martian))
    const route = host.routeTo(destination.address, selectorOf(visit))
    if (route?.kind === 'local') {
      this.#routed(visit, route)
      return this.#deliver(visit)
    }
    if (!host.forwards(packet.family)) return this.#stop(visit, notForwarded(visit))
    if (route === undefined) return this.#stop(visit, noRoute(visit))
    this.#routed(visit, route)
    visit.out = route.device
    return this.#forward(visit, route, undefined)
  }

  #forward(visit: Visit, route: HostRoute | undefined, bridged: Reached | undefined): End {
    const stopped = this.#hooks.run(visit, 'forward')
    return stopped ? this.#stop(visit, stopped) : this.#leave(visit, route, bridged)
  }

  /** The last hook, then the link. */
  #leave(visit: Visit, route: HostRoute | undefined, bridged?: Reached): End {
    const device = visit.out ?? ''
    const stopped = this.#hooks.run(visit, 'postrouting', {}, route)
    if (stopped) return this.#stop(visit, stopped)
    const { host } = visit
    const mtu = this.#prepared.links.mtuOf({ place: host.name, device })
    const packet = { ...visit.packet, largest: Math.min(visit.packet.largest ?? mtu, mtu) }
    if (device === 'lo') {
      this.#passed(visit)
      return this.#receive({ place: host.name, device }, packet, { tracked: visit.tracked })
    }
    const next = { ...packet, mark: 0 }
    const from = { place: host.name, device }
    if (bridged !== undefined) {
      this.#passed(visit)
      return this.#receive(bridged, next, {})
    }
    const nextHop = route?.via ?? packet.destination.address
    const tunnel = this.#prepared.links.tunnel(from)
    if (tunnel !== undefined) return this.#encapsulate(visit, tunnel, from, nextHop, packet)
    const reached = this.#prepared.links.neighbour(from, nextHop, this.#prepared.hostOf)
    if (reached === undefined)
      return this.#stop(
        visit,
        this.#prepared.links.isKnown(from) ? noNeighbour(visit, device, nextHop) : leavesLab(visit, device),
      )
    const last = reached.crossed[0]
    const isBack = visit.in === device && last?.place === host.name && last.to === visit.port
    if (isBack && last.to !== undefined && !this.#prepared.links.isHairpin(host.name, last.to))
      return this.#stop(visit, noHairpin(visit, device, last.to))
    const limit = sizeLimit(visit, this.#prepared.links, reached, packet.largest)
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
    const { host } = visit // rules can send the outer packet into a tunnel again
    const nested = `a tunnel in a tunnel is not predicted: ${from.device} gets its own kind of packet`
    if (packet.inner !== undefined) return this.#stop(visit, end('untraceable', host.name, nested, 'unknown'))
    const to = this.#prepared.links.tunnelEnd(from, nextHop)
    const lost = `the tunnel ${from.device} has no entry for ${nextHop}`
    if (to === undefined) return this.#stop(visit, end('unreachable', host.name, lost, 'timeout'))
    visit.steps.push({ kind: 'link', text: `VXLAN ${tunnel.id}: inside a packet to ${to}:${tunnel.port}` })
    this.#passed(visit)
    return this.#send(host.name, outerPacket(packet, tunnel, to))
  }

  /** A packet for the host itself. */
  #deliver(visit: Visit): End {
    const stopped = this.#hooks.run(visit, 'input')
    if (stopped) return this.#stop(visit, stopped)
    const { host, packet } = visit
    const { inner, destination } = packet
    if (inner !== undefined) return this.#decapsulate(visit, inner)
    if (packet.kind !== 'request') return this.#stop(visit, endOfAnswer(visit, this.#asked()))
    const port = destination.port?.first
    const { listener, program } = receiverOf(this.#prepared.state, host.name, packet)
    if (packet.protocol === 'icmp' || listener !== undefined) {
      const name = listener?.name ?? host.name
      this.#receiver = { name, socket: destination }
      this.#passed(visit)
      return this.#reply(visit, 'answer')
    }
    if (program !== undefined) return this.#stop(visit, unknownListener(visit, program))
    visit.steps.push({ kind: 'link', text: `nothing listens on ${packet.protocol} port ${port}` })
    if (packet.protocol !== 'tcp') return this.#stop(visit, noListener(visit))
    this.#passed(visit)
    return this.#reply(visit, 'reset')
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

  #reply({ host, packet }: Visit, kind: 'answer' | 'reset'): End {
    const { source, destination } = packet
    return this.#send(host.name, {
      ...packet,
      source: destination,
      destination: source,
      kind,
      mark: 0,
      largest: undefined,
    })
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
    return reached
  }

  #routed({ packet, steps }: Visit, route: HostRoute): void {
    const { policy } = route
    steps.push({
      kind: 'route',
      to: packet.destination.address,
      route: routeText(route),
      ...(policy !== undefined && { policy }),
    })
  }

  #asked(): Asked {
    const receiver = this.#hops.findLast(({ packet }) => packet === 'request')
    return { caller: this.#caller, request: this.#request, receiver: this.#receiver?.name, last: receiver }
  }
}
