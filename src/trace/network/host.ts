import { networkHolds, parseNetwork, type Network as AddressNetwork } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import type { Network, Route } from '../../topology/network.js'
import { fabricPlace, type PolicyRule, type TraceState } from '../model/state.js'

/** A route of a host; those to its own addresses and to what is on its links included. */
export interface HostRoute {
  readonly to: AddressNetwork
  readonly kind: 'local' | 'unicast'
  readonly device: string
  readonly via?: string | undefined
  /** The priority of the rule of policy routing by which it was found. */
  readonly policy?: number | undefined
}

/** What policy routing knows of a packet besides its destination. */
export interface RouteSelector {
  readonly source?: string | undefined
  /** The interface on which it arrives. */
  readonly in?: string | undefined
  readonly mark?: number | undefined
}

/** An address of a host's interface. */
export interface HostAddress {
  readonly device: string
  readonly family: IpFamily
  readonly network: AddressNetwork
  readonly address: string
}

/** The addresses and routes of one namespace. */
export class Host {
  readonly name: string
  readonly addresses: readonly HostAddress[]
  /** The most specific first; of two for the same range, the local one. */
  readonly #routes: readonly HostRoute[]
  readonly #sysctls: Readonly<Record<string, string | number>>

  readonly #policies: readonly PolicyRoutes[]

  constructor(
    name: string,
    network: Network,
    sysctls: Readonly<Record<string, string | number>>,
    policies: readonly PolicyRule[] = [],
  ) {
    this.name = name
    this.#policies = policies.map((rule) => ({ rule, routes: sorted(rule.routes.flatMap(givenRoute)) }))
    const netns = name === fabricPlace ? undefined : name
    this.addresses = network.devices
      .filter((device) => device.netns === netns)
      .flatMap((device) =>
        device.addresses.flatMap(({ family, address, prefixLength }) => {
          const range = parseNetwork(`${address}/${prefixLength}`)
          return range === undefined ? [] : [{ device: device.name, family, network: range, address }]
        }),
      )
    const local = this.addresses.flatMap((own) => [
      route(`${own.address}/${bits[own.family]}`, 'local', 'lo'),
      ...(own.network.prefixLength === bits[own.family]
        ? []
        : [route(own.network.text, 'unicast', own.device)]),
    ])
    const given = network.routes.filter((one) => one.netns === netns).flatMap(givenRoute)
    const loopback = [route('127.0.0.0/8', 'local', 'lo'), route('::1/128', 'local', 'lo')]
    this.#routes = sorted([...loopback, ...local, ...given].flatMap((one) => one ?? []))
    this.#sysctls = sysctls
  }

  /** The route of packets to an address; undefined if there is none. Rules of policy routing come before the main table. */
  routeTo(address: string, selector: RouteSelector = {}): HostRoute | undefined {
    const holds = ({ to }: HostRoute) => networkHolds(to, address)
    const main = this.#routes.find(holds)
    const isLocal = main?.kind === 'local'
    for (const { rule, routes } of this.#policies) {
      if (isLocal && rule.beforeLocal !== true) continue
      const found = selects(rule, address, selector) ? routes.find(holds) : undefined
      if (found !== undefined) return { ...found, policy: rule.priority }
    }
    return main
  }

  /** Whether an address is the host's own; with `device`, whether it is one of this interface. */
  isLocal(address: string, device?: string): boolean {
    // the table local alone decides, whatever comes before it
    if (device === undefined)
      return this.#routes.find(({ to }) => networkHolds(to, address))?.kind === 'local'
    return this.addresses.some((own) => own.device === device && own.address === address)
  }

  /** The source address that the kernel chooses for packets on this route. */
  sourceFor({ device, via, kind }: HostRoute, destination: string): string | undefined {
    if (kind === 'local') return destination
    return this.addressOn(device, via ?? destination)
  }

  /**
   * The address of an interface for packets to a next hop: one of its network, or else the first. For packets to the host itself
   * over loopback, IPv6 prefers the same address (RFC 6724, rule 1).
   */
  addressOn(device: string, nextHop: string): string | undefined {
    const family = familyOf(nextHop)
    if (family === 'IPv6' && this.isLocal(nextHop)) return nextHop
    const all = this.addresses.filter((own) => own.family === family)
    const own = all.filter((one) => one.device === device)
    return (own.find(({ network }) => networkHolds(network, nextHop)) ?? own[0] ?? all[0])?.address
  }

  /** A sysctl as a number; 0 if it is not set. */
  sysctl(name: string): number {
    return Number(this.#sysctls[name] ?? 0)
  }

  /** Whether packets of this family may be forwarded. */
  forwards(family: IpFamily): boolean {
    return this.sysctl(family === 'IPv4' ? 'net.ipv4.ip_forward' : 'net.ipv6.conf.all.forwarding') === 1
  }

  /** Whether packets of 127.0.0.0/8 may use an interface. */
  routesLoopback(device: string): boolean {
    const of = (name: string) => this.sysctl(`net.ipv4.conf.${name}.route_localnet`) === 1
    return of('all') || of(device)
  }

  /** rp_filter of an interface: 0 for off, 1 for strict, 2 for loose; the larger of `all` and its own. */
  reversePathFilter(device: string): number {
    const of = (name: string) => this.sysctl(`net.ipv4.conf.${name}.rp_filter`)
    return Math.max(of('all'), of(device))
  }

  /** Whether packets of this family that cross a bridge meet the rules of iptables. */
  filtersBridges(family: IpFamily): boolean {
    return this.sysctl(`net.bridge.bridge-nf-call-${family === 'IPv4' ? 'ip' : 'ip6'}tables`) === 1
  }
}

/** The hosts of a state, by name, made when they are first needed. */
export function hostsOf({ network, sysctls, policies = [] }: TraceState): (name: string) => Host {
  const made = new Map<string, Host>()
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    const own = policies.filter(({ netns }) => netns === name).sort((a, b) => a.priority - b.priority)
    const host = new Host(name, network, sysctls.get(name) ?? {}, own)
    made.set(name, host)
    return host
  }
}

/** A route as `ip route` prints it. */
export function routeText({ to, kind, device, via, policy }: HostRoute): string {
  if (kind === 'local') return `local ${to.base}`
  const range = to.prefixLength === 0 ? 'default' : to.prefixLength === bits[to.family] ? to.base : to.text
  const found = policy === undefined ? '' : ` (ip rule ${policy})`
  return `${range}${via === undefined ? '' : ` via ${via}`} dev ${device}${found}`
}

interface PolicyRoutes {
  readonly rule: PolicyRule
  readonly routes: readonly HostRoute[]
}

/** Whether a rule of policy routing selects a packet. */
function selects(
  { family, from, to, iif, mark }: PolicyRule,
  address: string,
  { source, in: incoming, mark: own = 0 }: RouteSelector,
): boolean {
  const within = (range: string, one: string | undefined) => {
    const network = parseNetwork(range.includes('/') ? range : `${range}/${bits[family]}`)
    return one !== undefined && network !== undefined && networkHolds(network, one)
  }
  return (
    family === familyOf(address) &&
    (from === undefined || within(from, source)) &&
    (to === undefined || within(to, address)) &&
    (iif === undefined || iif === (incoming ?? 'lo')) &&
    (mark === undefined || ((own ^ mark.value) & mark.mask) === 0)
  )
}

/** The most specific first. */
function sorted(routes: readonly HostRoute[]): HostRoute[] {
  return [...routes].sort((a, b) => b.to.prefixLength - a.to.prefixLength || rank(a) - rank(b))
}

function givenRoute({ to, device, via }: Route): HostRoute[] {
  return written(to, via).flatMap((text) => route(text, 'unicast', device, via) ?? [])
}

const bits = { IPv4: 32, IPv6: 128 } as const

function rank({ kind }: HostRoute): number {
  return kind === 'local' ? 0 : 1
}

/** `default` is a range of the family of its next hop; of both without one. */
function written(to: string, via: string | undefined): string[] {
  if (to !== 'default') return [to.includes('/') ? to : `${to}/${bits[familyOf(to)]}`]
  if (via === undefined) return ['0.0.0.0/0', '::/0']
  return [familyOf(via) === 'IPv4' ? '0.0.0.0/0' : '::/0']
}

function route(range: string, kind: HostRoute['kind'], device: string, via?: string): HostRoute | undefined {
  const to = parseNetwork(range)
  return to === undefined ? undefined : { to, kind, device, via }
}
