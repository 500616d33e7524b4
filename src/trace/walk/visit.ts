import { groupBy } from '../../groupBy.js'
import { familyOf } from '../../net/ipFamily.js'
import type { BalancedConnection } from '../../snapshot/model/balancing.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Listener, TraceState } from '../../snapshot/model/state.js'
import type { Hop, KernelReason, Step } from '../model/steps.js'
import { routeText, type Host, type HostRoute, type RouteSelector } from '../network/host.js'
import type { Template, Tracked } from './connection.js'

/** A packet on a host: what changes while it passes. */
export interface Visit {
  readonly host: Host
  packet: TracedPacket
  in?: string | undefined
  out?: string | undefined
  /** The port of the bridge by which it came. */
  port?: string | undefined
  tracked?: Tracked | 'untracked' | undefined
  /** What a rule has chosen before connection tracking. */
  template?: Template | undefined
  /** The connection of IPVS that has rewritten it. */
  balanced?: BalancedConnection | undefined
  /** Whether IPVS has taken it, for a real server on another host. */
  stolen?: boolean
  readonly steps: Step[]
  readonly before: TracedPacket
}

/** What a path shows of a visit. */
export function hopOf({ host, packet, before, in: incoming, out, steps }: Visit): Hop {
  const tuple = ({ source, destination }: TracedPacket) => ({ source, destination })
  return {
    place: host.name,
    packet: packet.inner === undefined ? packet.kind : 'tunnel',
    in: incoming,
    out,
    before: tuple(before),
    after: tuple(packet),
    mark: packet.mark,
    steps,
  }
}

/** The route of a packet; of a request after DNAT, also the one that it would take without. */
export function routeStep(visit: Visit, route: HostRoute): Step {
  const { packet, host, before } = visit
  const called = before.destination.address
  const isRewritten = packet.kind === 'request' && called !== packet.destination.address
  const other = isRewritten ? host.routeTo(called, selectorOf(visit)) : undefined
  return {
    kind: 'route',
    to: packet.destination.address,
    route: routeText(route),
    ...(route.policy !== undefined && { policy: route.policy }),
    ...(isRewritten && { withoutDnat: other === undefined ? 'no route' : routeText(other) }),
  }
}

/** Why the kernel drops a packet by its addresses alone; undefined if it does not. */
export function martianReason(
  { host, in: device = '', packet }: Visit,
  source: string,
  destination: string,
): KernelReason | undefined {
  for (const [side, address] of [
    ['source', source],
    ['destination', destination],
  ] as const)
    if (address.startsWith('127.') && !host.routesLoopback(device))
      return {
        reason: `${side} ${address} arrives on ${device}, and route_localnet is 0 (a martian packet)`,
        missing: localnet,
      }
  if (!source.startsWith('127.') && !source.includes(':') && host.isLocal(source))
    return { reason: `source ${source} is ${host.name}’s own address (a martian packet)` }
  return strayReason(host, device, source, { source: destination, mark: packet.mark })
}

/**
 * Reverse path filtering (RFC 3704): the source must have a route, by the same interface if it is strict. It is the route of an
 * answer: its source is the destination of the packet after DNAT (fib_validate_source of Linux).
 */
function strayReason(
  host: Host,
  device: string,
  source: string,
  answer: Pick<RouteSelector, 'source' | 'mark'>,
): KernelReason | undefined {
  const filter = host.reversePathFilter(device)
  if (filter === 0 || source.includes(':')) return undefined
  const mark = host.usesMarkForReversePath(device) ? answer.mark : 0
  const back = host.routeTo(source, { ...answer, mark, in: undefined })
  if (back?.kind === 'unicast' && (filter === 2 || back.device === device)) return undefined
  const way = back?.kind === 'unicast' ? `has its route by ${back.device}` : 'has no route'
  const name = 'net.ipv4.conf.all.rp_filter'
  return {
    reason: `${source} arrives on ${device}, but ${way}${back?.policy === undefined ? '' : ` (ip rule ${back.policy}, for answers of ${answer.source ?? ''})`} (rp_filter is ${filter})`,
    // a strict filter of the interface gives way to a loose one for all
    ...(back?.kind !== 'unicast' ? {} : { missing: { kind: 'sysctl', name, value: 2 } }),
  }
}

/** An interface routes loopback addresses if its own setting or that of all of them is 1. */
const localnet = { kind: 'sysctl', name: 'net.ipv4.conf.all.route_localnet', value: 1 } as const

/** What possibly waits for a packet on a host: one listener or none; several if its port can be several. */
export function receiversOf(
  { listeners }: TraceState,
  place: string,
  { protocol, destination: { address, port } }: TracedPacket,
): readonly (Listener | undefined)[] {
  if (port === undefined) return [undefined]
  const found = new Map<number, Listener>()
  for (const one of listenersAt(listeners, place)) {
    const isHere = one.protocol === protocol && isAddressed(one, address)
    if (isHere && one.port >= port.first && one.port <= port.last && !found.has(one.port))
      found.set(one.port, one)
  }
  return found.size > port.last - port.first ? [...found.values()] : [...found.values(), undefined]
}

const byPlace = new WeakMap<readonly Listener[], ReadonlyMap<string, readonly Listener[]>>()

/** The listeners of one place: a large cluster has thousands. */
function listenersAt(listeners: readonly Listener[], place: string): readonly Listener[] {
  const known = byPlace.get(listeners) ?? groupBy(listeners, ({ netns }) => netns)
  byPlace.set(listeners, known)
  return known.get(place) ?? []
}

/** Whether a listener receives packets to an address of its namespace. */
export function isAddressed({ address, family }: Listener, destination: string): boolean {
  if (address !== undefined) return address === destination
  return family === undefined || family === familyOf(destination)
}

/** What policy routing knows of the packet. */
export function selectorOf({ packet, in: incoming }: Visit): RouteSelector {
  return { source: packet.source.address, in: incoming, mark: packet.mark }
}

/** Whether a packet from a port of a bridge has got a destination behind the same bridge, which then passes it on. */
export function isBehindBridge(
  { host, packet, before, port, in: incoming }: Visit,
  { device }: HostRoute,
): boolean {
  const isBack = port !== undefined && device === incoming
  const isRewritten = packet.destination.address !== before.destination.address
  return isBack && isRewritten && host.filtersBridges(packet.family)
}

/** Why the kernel does not send a packet to another host; undefined if it does. */
export function loopbackReason({ host, packet }: Visit, device: string): KernelReason | undefined {
  if (!packet.source.address.startsWith('127.') || host.routesLoopback(device)) return undefined
  return {
    reason: `route_localnet of ${device} is 0: packets from 127.0.0.0/8 do not leave by it`,
    missing: localnet,
  }
}
