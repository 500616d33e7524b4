import { lastAddress, networkHolds, parseNetwork, type Network as AddressNetwork } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { groupBy } from '../../groupBy.js'
import type { Network, Route, RouteKind } from '../../topology/network.js'
import { RouteTable } from './routeTable.js'
import { fabricPlace, type PolicyRule, type TraceState } from '../../snapshot/model/state.js'

/** A route of a host; those to its own addresses and to what is on its links included. */
export interface HostRoute {
  readonly to: AddressNetwork
  readonly kind: RouteKind
  readonly device: string
  readonly via?: string | undefined
  readonly source?: string | undefined
  readonly metric: number
  /** The priority of the rule of policy routing by which it was found; undefined for the rules that every host has. */
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

/** The rules of policy routing that every host has, by their tables. */
const usualTables: Readonly<Record<string, number>> = { local: 0, main: 32_766, default: 32_767 }

/** The addresses and routes of one namespace. */
export class Host {
  readonly name: string
  readonly addresses: readonly HostAddress[]
  /** By table; the most specific first. */
  readonly #tables: ReadonlyMap<string, RouteTable<HostRoute>>
  /** Those of the tables local and main: the most specific first, and of two for the same range the local one. */
  readonly #merged: RouteTable<HostRoute>
  readonly #policies: readonly PolicyRule[]
  readonly #sysctls: Readonly<Record<string, string | number>>

  constructor(
    name: string,
    { devices, routes: own }: Pick<Network, 'devices' | 'routes'>,
    sysctls: Readonly<Record<string, string | number>>,
    policies: readonly PolicyRule[] = [],
  ) {
    this.name = name
    this.#policies = withUsual(name, policies)
    this.addresses = devices.flatMap((device) =>
      device.addresses.flatMap(({ family, address, prefixLength }) => {
        const range = parseNetwork(`${address}/${prefixLength}`)
        return range === undefined ? [] : [{ device: device.name, family, network: range, address }]
      }),
    )
    const tables = new Map<string, HostRoute[]>()
    for (const given of own) {
      const { table = 'main' } = given
      const routes = tables.get(table) ?? []
      tables.set(table, routes)
      routes.push(...hostRoutes(given))
    }
    this.#tables = new Map([...tables].map(([table, routes]) => [table, new RouteTable(sorted(routes))]))
    this.#merged = new RouteTable(sorted([...(tables.get('local') ?? []), ...(tables.get('main') ?? [])]))
    this.#sysctls = sysctls
  }

  /** The route of packets to an address; undefined if there is none. */
  routeTo(address: string, selector: RouteSelector = {}): HostRoute | undefined {
    const family = familyOf(address)
    const policies = this.#policies.filter((rule) => rule.family === family)
    // IPv4 has one table for local and main until a rule is added (fib_unmerge of Linux)
    if (family === 'IPv4' && policies.every(isUsual)) return this.#merged.find(address)
    for (const rule of policies) {
      if (!selects(rule, address, selector)) continue
      const found = this.#routeOf(rule, address)
      if (found !== undefined && found.kind !== 'throw')
        return isUsual(rule) ? found : { ...found, policy: rule.priority }
    }
    return undefined
  }

  #routeOf({ table = '', action, suppress, unknown }: PolicyRule, address: string): HostRoute | undefined {
    const kind = unknown === undefined ? action : 'unknown'
    if (kind !== undefined) return { to: everything, kind, device: '', metric: 0 }
    const found = this.#tables.get(table)?.find(address)
    return found !== undefined && found.to.prefixLength > (suppress ?? -1) ? found : undefined
  }

  /** Whether an address is the host's own; with `device`, whether it is one of this interface. */
  isLocal(address: string, device?: string): boolean {
    // the table local alone decides, whatever comes before it
    if (device === undefined) return this.#tables.get('local')?.find(address)?.kind === 'local'
    const devices = this.addresses.filter((own) => own.address === address).map((own) => own.device)
    // what no interface has is local by its route alone, as 127.0.0.0/8 is
    return devices.includes(device) || (device === 'lo' && devices.length === 0 && this.isLocal(address))
  }

  /** Whether an address of IPv4 is that of all hosts of a network of the host; with `device`, of this interface. */
  isBroadcast(address: string, device?: string): boolean {
    const route = this.#tables.get('local')?.find(address)
    if (route?.kind === 'broadcast') return device === undefined || route.device === device
    return this.addresses.some(
      ({ device: own, network }) =>
        (device === undefined || own === device) && broadcastOf(network) === address,
    )
  }

  /** The source address that the kernel chooses for packets on this route. */
  sourceFor({ device, via, kind, source }: HostRoute, destination: string): string | undefined {
    if (kind === 'local') return destination
    return source ?? this.addressOn(device, via ?? destination)
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

  /** Whether packets of this family that arrive on an interface may be forwarded; IPv4 has a setting for each interface. */
  forwards(family: IpFamily, device: string): boolean {
    if (family === 'IPv6') return this.sysctl('net.ipv6.conf.all.forwarding') === 1
    const own = this.#sysctls[`net.ipv4.conf.${device}.forwarding`]
    return own === undefined ? this.sysctl('net.ipv4.ip_forward') === 1 : Number(own) === 1
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

  /** Whether the mark of a packet counts for its reverse path (src_valid_mark). */
  usesMarkForReversePath(device: string): boolean {
    const of = (name: string) => this.sysctl(`net.ipv4.conf.${name}.src_valid_mark`) === 1
    return of('all') || of(device)
  }

  /** Whether packets of this family that cross a bridge meet the rules of iptables. */
  filtersBridges(family: IpFamily): boolean {
    return this.sysctl(`net.bridge.bridge-nf-call-${family === 'IPv4' ? 'ip' : 'ip6'}tables`) === 1
  }
}

/** The hosts of a state, by name, made when they are first needed. */
export function hostsOf(state: TraceState): (name: string) => Host {
  const known = hosts.get(state) ?? makeHosts(state)
  hosts.set(state, known)
  return known
}

const hosts = new WeakMap<TraceState, (name: string) => Host>()

function makeHosts({ network, sysctls, policies = [] }: TraceState): (name: string) => Host {
  const made = new Map<string, Host>()
  const devices = groupBy(network.devices, ({ netns }) => netns)
  const routes = groupBy(network.routes, ({ netns }) => netns)
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    const own = policies.filter(({ netns }) => netns === name).sort((a, b) => a.priority - b.priority)
    const netns = name === fabricPlace ? undefined : name
    const parts = { devices: devices.get(netns) ?? [], routes: routes.get(netns) ?? [] }
    const host = new Host(name, parts, sysctls.get(name) ?? {}, own)
    made.set(name, host)
    return host
  }
}

/** A route as `ip route` prints it. */
export function routeText({ to, kind, device, via, policy }: HostRoute): string {
  if (kind === 'local') return `local ${to.base}`
  if (kind !== 'unicast') return `${kind} ${to.prefixLength === 0 ? 'default' : to.text}`
  const range = to.prefixLength === 0 ? 'default' : to.prefixLength === bits[to.family] ? to.base : to.text
  const found = policy === undefined ? '' : ` (ip rule ${policy})`
  return `${range}${via === undefined ? '' : ` via ${via}`} dev ${device}${found}`
}

/** Rules of policy routing by priority, with those that every host has if they were not read. */
function withUsual(netns: string, policies: readonly PolicyRule[]): readonly PolicyRule[] {
  const families: readonly IpFamily[] = ['IPv4', 'IPv6']
  const usual = families.flatMap((family) =>
    policies.some((one) => one.family === family && one.table === 'local')
      ? []
      : Object.entries(usualTables).map(([table, priority]) => ({ netns, family, priority, table })),
  )
  return [...usual, ...policies].sort((a, b) => a.priority - b.priority)
}

/** Whether it is one of the rules that every host has, where every host has it. */
export function isUsual({ table = '', priority, from, to, iif, mark, action, unknown }: PolicyRule): boolean {
  const hasCondition = [from, to, iif, mark, action, unknown].some((one) => one !== undefined)
  return usualTables[table] === priority && !hasCondition
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

/** The most specific first; then local ones, and those with a low metric. */
function sorted(routes: readonly HostRoute[]): HostRoute[] {
  return [...routes].sort(
    (a, b) => b.to.prefixLength - a.to.prefixLength || rank(a) - rank(b) || a.metric - b.metric,
  )
}

function hostRoutes({ to, device, via, kind = 'unicast', source, metric = 0 }: Route): HostRoute[] {
  return written(to, via).flatMap((text) => {
    const range = parseNetwork(text)
    return range === undefined ? [] : [{ to: range, kind, device, via, source, metric }]
  })
}

const bits = { IPv4: 32, IPv6: 128 } as const

/** The last address of a network of IPv4 that has one for all of its hosts. */
function broadcastOf(network: AddressNetwork): string | undefined {
  return network.family === 'IPv4' && network.prefixLength < 31 ? lastAddress(network) : undefined
}

const everything: AddressNetwork = { family: 'IPv4', base: '0.0.0.0', prefixLength: 0, text: '0.0.0.0/0' }

function rank({ kind }: HostRoute): number {
  return kind === 'local' ? 0 : 1
}

/** `default` is a range of the family of its next hop; of both without one. */
function written(to: string, via: string | undefined): string[] {
  if (to !== 'default') return [to.includes('/') ? to : `${to}/${bits[familyOf(to)]}`]
  if (via === undefined) return ['0.0.0.0/0', '::/0']
  return [familyOf(via) === 'IPv4' ? '0.0.0.0/0' : '::/0']
}
