import type { BridgePort, Device, ForwardingEntry, Link, Neighbour, Route } from '../../topology/network.js'
import type { PolicyRule, TraceState } from '../model/state.js'

/** What a namespace has of a network, as ip(8) lists it; ends of links in other namespaces are still numbers. */
export interface Interfaces {
  readonly links: readonly ListedLink[]
  readonly devices: readonly Device[]
  readonly ports: readonly BridgePort[]
  readonly neighbours: readonly Neighbour[]
  readonly routes: readonly Route[]
  /** Namespaces by the number that this one has for them. */
  readonly namespaces: ReadonlyMap<number, string>
  /** Settings of links that are not evaluated, one sentence each. */
  readonly unknown: readonly string[]
}

/** A link whose peer, if it has one, is an interface number in a namespace. */
export interface ListedLink {
  readonly netns: string | undefined
  readonly name: string
  readonly index: number
  readonly mac: string | undefined
  readonly mtu: number
  readonly up: boolean
  readonly answersArp: boolean
  readonly kind: string | undefined
  readonly peer: { readonly index: number; readonly namespace: number | undefined } | undefined
  readonly vxlan:
    | { readonly id: number; readonly local: string; readonly device: string; readonly port: number }
    | undefined
}

/** A link as `ip -j -d addr` prints it. */
export interface IpLink {
  readonly ifindex: number
  readonly ifname: string
  readonly flags: readonly string[]
  readonly mtu: number
  readonly address?: string
  readonly master?: string
  readonly link?: string
  readonly link_index?: number
  readonly link_netnsid?: number
  readonly linkinfo?: {
    readonly info_kind?: string
    readonly info_data?: Readonly<Record<string, unknown>>
    readonly info_slave_kind?: string
    readonly info_slave_data?: Readonly<Record<string, unknown>>
  }
  readonly addr_info: readonly {
    readonly family: string
    readonly local: string
    readonly prefixlen: number
    readonly scope: string
    readonly tentative?: boolean
    readonly dadfailed?: boolean
  }[]
}

/** A route as `ip -j route` prints it. */
export interface IpRoute {
  readonly type?: string
  readonly dst: string
  readonly gateway?: string
  readonly via?: { readonly host: string }
  readonly dev?: string
  readonly table?: string
  readonly metric?: number
  readonly prefsrc?: string
  readonly flags?: readonly string[]
  readonly nexthops?: unknown
  readonly tos?: string
  /** These two of routes of IPv6 only. */
  readonly pref?: string
  readonly error?: number
}

/** A neighbour as `ip -j neigh` prints it. */
export interface IpNeighbour {
  readonly dst: string
  readonly dev?: string
  readonly lladdr?: string
  readonly state?: readonly string[]
  readonly proxy?: null
}

/** In this order, one line each: what `ip -j -d -batch` answers to `ipLines`. */
export const ipLines = [
  ...['addr', 'netns list-id', 'neigh', 'route show table all'],
  ...['rule', 'neigh show proxy'],
] as const

const otherKinds = new Set(['unicast', 'local', 'broadcast', 'blackhole', 'unreachable', 'prohibit', 'throw'])

/** Reads the answers to `ipLines`; its rules are of IPv4. Throws Error for other text. */
export function readIp(
  netns: string | undefined,
  text: string,
): {
  readonly interfaces: Interfaces
  readonly policies: readonly PolicyRule[]
  readonly announced: TraceState['announced']
} {
  const [links, namespaces, neighbours, routes, rules, proxied] = jsonTexts(text) as [
    readonly IpLink[],
    readonly { readonly nsid: number; readonly name?: string }[],
    readonly IpNeighbour[],
    readonly IpRoute[],
    readonly IpRule[],
    readonly IpNeighbour[],
  ]
  return {
    interfaces: {
      ...interfacesOf(netns, links),
      neighbours: neighboursOf(netns, neighbours),
      routes: routesOf(netns, routes),
      namespaces: new Map(namespaces.flatMap(({ nsid, name }) => (name === undefined ? [] : [[nsid, name]]))),
    },
    policies: netns === undefined ? [] : policiesOf(netns, 'IPv4', rules),
    announced: netns === undefined ? [] : proxiedOf(netns, proxied),
  }
}

/** What `ip -d addr` says of links. */
export function interfacesOf(
  netns: string | undefined,
  links: readonly IpLink[],
): Pick<Interfaces, 'links' | 'devices' | 'ports' | 'unknown'> {
  return {
    links: links.map((link) => linkOf(netns, link, links)),
    devices: links.map(({ ifname, addr_info }) => ({
      ...{ netns, name: ifname },
      addresses: addr_info
        .filter(({ scope, tentative, dadfailed, local }) => {
          const isUsable = tentative !== true && dadfailed !== true
          return isUsable && scope !== 'link' && !(ifname === 'lo' && /^(127\.0\.0\.1|::1)$/.test(local))
        })
        .map(({ family, local, prefixlen }) => ({
          ...{ family: family === 'inet' ? ('IPv4' as const) : ('IPv6' as const), address: local },
          prefixLength: prefixlen,
        })),
    })),
    ports: links.flatMap(({ ifname, flags, master, linkinfo }): BridgePort[] =>
      master === undefined ||
      linkinfo?.info_slave_kind !== 'bridge' ||
      // a port without a carrier is disabled too, and forwards again when it has one
      (linkinfo.info_slave_data?.['state'] === 'disabled' && flags.includes('LOWER_UP'))
        ? []
        : [
            {
              netns,
              device: ifname,
              bridge: master,
              hairpin: linkinfo.info_slave_data?.['hairpin'] === true,
            },
          ],
    ),
    unknown: links.flatMap(unknownSettings),
  }
}

/** The neighbours of `ip neigh` whose addresses are known. */
export function neighboursOf(netns: string | undefined, neighbours: readonly IpNeighbour[]): Neighbour[] {
  return neighbours.flatMap(({ dst, dev, lladdr, state = [] }): Neighbour[] => {
    const isFixed = state.includes('PERMANENT') || state.includes('NOARP')
    const isKnown = isFixed || ['REACHABLE', 'STALE', 'DELAY', 'PROBE'].some((one) => state.includes(one))
    if (dev === undefined || lladdr === undefined || !isKnown) return []
    return [{ netns, address: dst, mac: lladdr, device: dev, ...(!isFixed && { learned: true as const }) }]
  })
}

/** The routes of `ip route` by which packets are predicted. */
export function routesOf(netns: string | undefined, routes: readonly IpRoute[]): Route[] {
  return routes.flatMap((route) => routeOf(netns, route))
}

/** The outputs of several commands, each one JSON value. */
export function jsonTexts(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)
}

function linkOf(netns: string | undefined, link: IpLink, links: readonly IpLink[]): ListedLink {
  const { ifname, ifindex, address, mtu, flags, linkinfo, link_netnsid } = link
  // an end in the same namespace has a name
  const link_index = link.link_index ?? links.find((one) => one.ifname === link.link)?.ifindex
  const { info_kind: kind, info_data: data = {} } = linkinfo ?? {}
  const isVxlan = kind === 'vxlan' && typeof data['id'] === 'number'
  return {
    ...{ netns, name: ifname, index: ifindex, mac: address, mtu, kind, up: flags.includes('UP') },
    answersArp: !flags.includes('NOARP'),
    peer:
      kind === 'veth' && link_index !== undefined
        ? { index: link_index, namespace: link_netnsid }
        : undefined,
    vxlan: isVxlan
      ? {
          id: data['id'] as number,
          local: textOf(data['local'] ?? data['local6']),
          device: link.link ?? textOf(data['link']),
          port: Number(data['port']),
        }
      : undefined,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function unknownSettings({ ifname, linkinfo }: IpLink): string[] {
  const { info_kind, info_data = {}, info_slave_data = {}, info_slave_kind } = linkinfo ?? {}
  return [
    ...(info_kind === 'bridge' && info_data['vlan_filtering'] === 1 ? [`${ifname} filters VLANs`] : []),
    ...(info_slave_kind === 'bridge' ? portSettings(ifname, info_slave_data) : []),
  ]
}

function portSettings(
  port: string,
  { state, isolated, learning, flood }: Readonly<Record<string, unknown>>,
): string[] {
  return [
    ...(state === 'forwarding' || state === 'disabled'
      ? []
      : [`the bridge port ${port} is ${textOf(state)}`]),
    ...(isolated === true ? [`the bridge port ${port} is isolated`] : []),
    ...(learning === false || flood === false ? [`the bridge port ${port} learns or floods nothing`] : []),
  ]
}

function routeOf(netns: string | undefined, route: IpRoute): Route[] {
  const { type = 'unicast', dst, gateway, via, dev = '', table, metric, prefsrc, flags = [] } = route
  if (type === 'multicast' || type === 'anycast' || flags.includes('dead')) return []
  const isFollowed = otherKinds.has(type) && route.nexthops === undefined && route.tos === undefined
  const kind = isFollowed ? (type as Route['kind']) : 'unknown'
  if (dst.startsWith('fe80:')) return []
  const hop = gateway ?? via?.host
  const isSix = route.pref !== undefined || route.error !== undefined
  const to = dst === 'default' && hop === undefined ? (isSix ? '::/0' : '0.0.0.0/0') : dst
  return [
    {
      // the host's own packets to itself leave by lo
      ...{ netns, to, device: kind === 'local' ? 'lo' : dev },
      ...(hop !== undefined && { via: hop }),
      ...(kind !== 'unicast' && { kind }),
      ...(table !== undefined && table !== 'main' && { table }),
      ...(metric !== undefined && { metric }),
      ...(prefsrc !== undefined && { source: prefsrc }),
    },
  ]
}

/** A rule as `ip -j rule` prints it. */
export interface IpRule {
  readonly priority: number
  readonly not?: null
  readonly src?: string
  readonly srclen?: number
  readonly dst?: string
  readonly dstlen?: number
  readonly iif?: string
  readonly fwmark?: string
  readonly fwmask?: string
  readonly table?: string
  readonly action?: string
  readonly suppress_prefixlen?: number
  readonly [other: string]: unknown
}

/** Conditions and actions of rules that are evaluated. */
const knownOfRules = new Set([
  ...['priority', 'src', 'srclen', 'dst', 'dstlen', 'iif', 'fwmark', 'fwmask', 'table', 'action'],
  ...['suppress_prefixlen', 'protocol', 'iif_detached'],
])

const actions = ['blackhole', 'unreachable', 'prohibit'] as const

/** Reads the output of `ip -j -6 rule`. */
export function readPolicies6(netns: string, text: string): PolicyRule[] {
  return policiesOf(netns, 'IPv6', JSON.parse(text.trim() === '' ? '[]' : text) as readonly IpRule[])
}

/** The rules of `ip rule`, with what is not evaluated. */
export function policiesOf(
  netns: string,
  family: PolicyRule['family'],
  rules: readonly IpRule[],
): PolicyRule[] {
  return rules.map((rule) => {
    const { priority, iif, fwmark, fwmask = '0xffffffff', table, action, suppress_prefixlen: suppress } = rule
    const done = actions.find((one) => one === action)
    const unknown = [
      ...Object.keys(rule).filter((key) => !knownOfRules.has(key)),
      ...(action !== undefined && done === undefined && action !== 'to_tbl' ? [action] : []),
    ].join(', ')
    const range = (address: string | undefined, length: number | undefined) =>
      address === undefined || address === 'all'
        ? undefined
        : length === undefined
          ? address
          : `${address}/${length}`
    return {
      ...{ netns, family, priority, table, iif, suppress, action: done },
      from: range(rule.src, rule.srclen),
      to: range(rule.dst, rule.dstlen),
      mark: fwmark === undefined ? undefined : { value: Number(fwmark), mask: Number(fwmask) },
      unknown: unknown === '' ? undefined : unknown,
    }
  })
}

/** What `ip neigh show proxy` lists: addresses for which a host answers although they are not its own. */
function proxiedOf(netns: string, entries: readonly IpNeighbour[]): TraceState['announced'] {
  return entries.flatMap(({ dst, dev }) => (dev === undefined ? [] : [{ netns, device: dev, address: dst }]))
}

/** An entry as `bridge -j fdb` prints it. */
export interface BridgeFdb {
  readonly mac: string
  readonly ifname: string
  readonly dst?: string
  readonly port?: unknown
  readonly vni?: unknown
}

/** Reads the output of `bridge -j fdb`: where devices of tunnels send frames. Throws Error for entries that are not predicted. */
export function readForwarding(netns: string, text: string): ForwardingEntry[] {
  return forwardingOf(netns, JSON.parse(text.trim() === '' ? '[]' : text) as readonly BridgeFdb[])
}

/** The entries of `bridge fdb` with addresses. Throws Error for entries that are not predicted. */
export function forwardingOf(netns: string, entries: readonly BridgeFdb[]): ForwardingEntry[] {
  return entries.flatMap(({ mac, ifname, dst, port, vni }) => {
    if (port !== undefined || vni !== undefined)
      throw new Error(`the entry of ${mac} on ${ifname} has a port or network identifier of its own`)
    return dst === undefined ? [] : [{ netns, mac, device: ifname, to: dst }]
  })
}

/**
 * The links of all namespaces: a veth is one link, of the end whose namespace comes last, as in a plan. An end whose peer is in
 * none of them has no peer.
 */
export function joinLinks(all: readonly Interfaces[]): Link[] {
  const links = all.flatMap(({ links: own }) => own)
  const namesOf = new Map(all.map(({ links: [first], namespaces }) => [first?.netns, namespaces]))
  const listed = new Set(namesOf.keys())
  const namespaceOf = ({ netns, peer }: ListedLink): string | undefined | null => {
    if (peer?.namespace === undefined) return netns
    const name = namesOf.get(netns)?.get(peer.namespace)
    // the first namespace of a sandbox has no name
    return name === undefined ? undefined : listed.has(name) ? name : null
  }
  const flagsOf = ({ up, answersArp }: ListedLink) => ({
    ...(!up && { down: true as const }),
    ...(!answersArp && { silent: true as const }),
  })
  const peerOf = (end: ListedLink): ListedLink | undefined => {
    const netns = namespaceOf(end)
    if (end.peer === undefined || netns === null) return undefined
    return links.find(
      (one) =>
        one.netns === netns && one.index === end.peer?.index && one.peer?.index === end.index && one !== end,
    )
  }
  const taken = new Set<ListedLink>()
  return links.flatMap((link): Link[] => {
    const { netns, name, index, mac, mtu, kind, vxlan } = link
    const end = { netns, name, index, mac, mtu, ...flagsOf(link) }
    if (vxlan !== undefined) return [{ ...end, type: { kind: 'vxlan', ...vxlan } }]
    if (kind === 'bridge') return [{ ...end, type: { kind: 'bridge' } }]
    if (taken.has(link)) return []
    const peer = peerOf(link)
    if (peer === undefined) return []
    taken.add(peer)
    const other = {
      ...{ netns: peer.netns, name: peer.name, index: peer.index, mac: peer.mac, mtu: peer.mtu },
      ...flagsOf(peer),
    }
    return [{ ...end, type: { kind: 'veth', peer: other } }]
  })
}
