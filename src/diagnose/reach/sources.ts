import { groupBy } from '../../groupBy.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import {
  addressNumber,
  addressText,
  nthAddress,
  parseRange,
  rangeSize,
  rangesWith,
} from '../../net/ranges.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { NodePlace, PodPlace } from '../../topology/types.js'
import { Cuts, intervalOf, oneAddress, type Constants } from './cuts.js'

/** Senders that no rule, route or setting distinguishes, and one of them, which is predicted. */
export interface SourceClass {
  readonly kind: 'pod' | 'endpoint' | 'node' | 'outside'
  /** `pods of node-a`, `node node-a`, `outside, such as 203.0.113.9`. */
  readonly label: string
  /** The same in another snapshot. */
  readonly key: string
  /** How many pods or nodes; undefined for addresses outside, which are too many. */
  readonly members?: number | undefined
  /** The node that it is on; undefined outside. */
  readonly node?: string | undefined
  /** The namespace that sends; undefined for an address that no host of the snapshot has: see `address`. */
  readonly from?: string | undefined
  /** How `trace` names it: `pod/default/web-1`. */
  readonly place?: string | undefined
  /** The family that it has an address of; undefined for all. */
  readonly family?: IpFamily | undefined
  /** The address outside. */
  readonly address?: string | undefined
}

/** The classes of senders of a snapshot, by the Service that they call. */
export class Sources {
  readonly #snapshot: Snapshot
  readonly #constants: Constants
  readonly #general: Cuts
  readonly #podKeys = new Map<PodPlace, string>()
  readonly #podsByNode: ReadonlyMap<string, readonly PodPlace[]>
  readonly #podAt = new Map<string, PodPlace>()
  readonly #known = new Map<string, readonly SourceClass[]>()

  constructor(snapshot: Snapshot, constants: Constants) {
    const { topology } = snapshot.model
    this.#snapshot = snapshot
    this.#constants = constants
    this.#general = new Cuts(constants.general)
    const pods = topology.pods.filter(({ addresses }) => addresses.length > 0)
    const forms = formsOf(snapshot.state)
    for (const pod of pods) {
      const keys = pod.addresses.map(({ address }) => this.#general.keyOf(address))
      this.#podKeys.set(pod, [...keys, forms(pod)].join(' | '))
      for (const { address } of pod.addresses) this.#podAt.set(address, pod)
    }
    this.#podsByNode = groupBy(pods, ({ node }) => node)
  }

  /** The nodes themselves, and their hostNetwork pods, which send as they do. */
  nodes(nodes: readonly NodePlace[]): SourceClass[] {
    return nodes
      .filter(({ addresses }) => addresses.length > 0)
      .map(({ name, netns }): SourceClass => ({
        ...{ kind: 'node', label: `node ${name}`, key: `node ${name}`, members: 1, node: name, from: netns },
        place: `node/${name}`,
      }))
  }

  /** The pods of nodes that call a Service; those whose addresses its rules name, such as its endpoints, one by one. */
  pods(nodes: readonly NodePlace[], service: string | undefined): SourceClass[] {
    const { ranges, addresses } = this.#ofService(service)
    const named = [...addresses].flatMap((address) => this.#podAt.get(address) ?? [])
    const alone = new Set(named)
    const names = new Set(nodes.map(({ name }) => name))
    return [
      ...nodes.flatMap((node) => this.#podsOf(node.name, ranges, alone)),
      ...this.#alone(
        service,
        [...alone].filter(({ node }) => names.has(node)),
      ),
    ]
  }

  /** Pods that the rules for a Service name, by node and by how they name them. */
  #alone(service: string | undefined, pods: readonly PodPlace[]): SourceClass[] {
    const forms = this.#constants.forms.get(service ?? '')
    const formsOfPod = ({ addresses }: PodPlace) =>
      addresses.map(({ address }) => [...(forms?.get(address) ?? [])].sort())
    const byNode = groupBy(pods, ({ node }) => node)
    return [...byNode].flatMap(([node, own]) => {
      const classes = [
        ...groupBy(own, (pod) => JSON.stringify([this.#podKeys.get(pod), formsOfPod(pod)])).values(),
      ]
      return classes.flatMap((members): SourceClass[] => {
        const [first] = members
        if (first === undefined) return []
        const name = podName(first)
        const label = classes.length === 1 ? `endpoints on ${node}` : `endpoints on ${node} like ${name}`
        const common = { kind: 'endpoint', label, key: label, members: members.length, node } as const
        return [{ ...common, from: first.netns, place: `pod/${name}` }]
      })
    })
  }

  #podsOf(node: string, ranges: readonly string[], alone: ReadonlySet<PodPlace>): SourceClass[] {
    const others = (this.#podsByNode.get(node) ?? []).filter((pod) => !alone.has(pod))
    const cuts = ranges.length === 0 ? undefined : new Cuts(ranges)
    const classes = groupBy(others, (pod) =>
      [this.#podKeys.get(pod), ...pod.addresses.map(({ address }) => cuts?.keyOf(address) ?? '')].join(' | '),
    )
    return [...classes.values()].flatMap((members): SourceClass[] => {
      const [first] = members
      if (first === undefined) return []
      const name = podName(first)
      const label = classes.size === 1 ? `pods of ${node}` : `pods of ${node} like ${name}`
      const common = { kind: 'pod', label, key: label, members: members.length, node } as const
      return [{ ...common, from: first.netns, place: `pod/${name}` }]
    })
  }

  /** Addresses outside of the cluster, cut at every range that occurs in rules that packets to a Service meet. */
  outside(service: string | undefined, family: IpFamily): readonly SourceClass[] {
    const { ranges, addresses } = this.#ofService(service)
    const own = [...ranges, ...addresses]
    const key = `${family} ${own.join(' ')}`
    const known = this.#known.get(key) ?? this.#outsideOf(own, family)
    this.#known.set(key, known)
    return known
  }

  #outsideOf(own: readonly string[], family: IpFamily): SourceClass[] {
    const { topology } = this.#snapshot.model
    const places = new Set(
      [...topology.nodes, ...topology.pods, ...topology.clients].flatMap((place) =>
        place.addresses.map(({ address }) => address),
      ),
    )
    // packets from the address of a network, or of all its hosts, come from no host
    for (const { addresses } of this.#snapshot.state.network.devices)
      for (const { address, family: own, prefixLength } of addresses) {
        const range =
          own === 'IPv4' && prefixLength < 31 ? parseRange(`${address}/${prefixLength}`) : undefined
        if (range === undefined) continue
        places.add(nthAddress(range, 0n)).add(nthAddress(range, rangeSize(range) - 1n))
      }
    const { pods, services, loadBalancers } = topology.ranges
    const inside = [pods, services, loadBalancers].flatMap((range) => parseRange(range[family]) ?? [])
    const cuts = new Cuts([...this.#constants.general, ...own])
    const clients = topology.clients.flatMap((client) =>
      client.addresses.filter((one) => one.family === family).map(({ address }) => ({ client, address })),
    )
    const found = new Map<string, SourceClass>()
    const clientAt = new Map(clients.map(({ client, address }) => [cuts.keyOf(address), { client, address }]))
    for (const { key: holding, ...atom } of cuts.atoms(family)) {
      const key = `${family} ${holding}`
      const free = usableIn(family, atom.first, atom.last).find(
        (address) => !places.has(address) && rangesWith(inside, address).length === 0,
      )
      const { client, address = free } = clientAt.get(key) ?? {}
      if (address === undefined || found.has(key)) continue
      const such = client === undefined ? address : `${client.name} (${address})`
      found.set(key, {
        ...{ kind: 'outside', label: `outside, such as ${such}`, key: `outside ${address}`, family },
        address,
        ...(client && { from: client.netns, place: `client/${client.name}` }),
      })
    }
    return [...found.values()]
  }

  #ofService(service: string | undefined): {
    readonly ranges: readonly string[]
    readonly addresses: ReadonlySet<string>
  } {
    const own = service === undefined ? [] : [...(this.#constants.ofServices.get(service) ?? [])]
    const isOne = (text: string) => {
      const interval = intervalOf(text)
      return interval !== undefined && interval.first === interval.last
    }
    return {
      ranges: own.filter((text) => !isOne(text)).sort(),
      addresses: new Set(own.filter(isOne).map((text) => text.replace(/\/.*/, ''))),
    }
  }
}

/** Addresses that hosts outside have: no loopback, multicast or link-local ones. */
const usable: Readonly<Record<IpFamily, readonly (readonly [string, string])[]>> = {
  IPv4: [
    ['203.0.113.9', '203.0.113.254'],
    ['1.0.0.1', '126.255.255.254'],
    ['128.0.0.1', '169.253.255.254'],
    ['169.255.0.1', '223.255.255.254'],
  ],
  IPv6: [
    ['2001:db8::9', '2001:db8::ffff'],
    ['2000::1', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'],
    ['fc00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'],
  ],
}

function usableIn(family: IpFamily, first: bigint, last: bigint): string[] {
  return usable[family].flatMap(([low, high]) => {
    const from = first > addressNumber(low) ? first : addressNumber(low)
    const to = last < addressNumber(high) ? last : addressNumber(high)
    if (from > to) return []
    // neither the address of a network nor that of its broadcasts, if there is another one
    const inner = to - from > 2n ? [from + 1n, to - 1n] : []
    return [...inner, from, to].map((number) => addressText(family, number))
  })
}

/** How a pod is attached to its node, without what names it alone. */
function formsOf({ network, rules, nft, sysctls }: TraceState): (pod: PodPlace) => string {
  const routes = groupBy(network.routes, ({ netns }) => netns)
  const devices = groupBy(network.devices, ({ netns }) => netns)
  const ports = new Map(network.ports.map((port) => [`${port.netns ?? fabricPlace} ${port.device}`, port]))
  const mtus = groupBy(
    network.links.flatMap(({ type, ...end }) => (type.kind === 'veth' ? [end, type.peer] : [end])),
    ({ netns }) => netns,
  )
  const leading = groupBy(network.routes, ({ to }) => oneAddress(to))
  const matched = interfacesIn({ rules, nft })
  return (pod) => {
    const own = new Set(pod.addresses.map(({ address }) => address))
    const isOwn = (to: string) => own.has(to.replace(/\/(32|128)$/, ''))
    const port = ports.get(`${pod.node} ${pod.veth}`)
    return JSON.stringify([
      (routes.get(pod.netns) ?? [])
        .filter(({ to }) => !isOwn(to))
        .map(({ to, via, device, kind, table, metric }) => [to, via, device, kind, table, metric]),
      (devices.get(pod.netns) ?? []).map(({ name, addresses }) => [name, addresses.length]),
      (mtus.get(pod.netns) ?? []).map(({ name, mtu, down }) => [name, mtu, down]),
      (mtus.get(pod.node) ?? []).filter(({ name }) => name === pod.veth).map(({ mtu, down }) => [mtu, down]),
      [port?.bridge, port?.hairpin],
      pod.addresses.map(({ address }) =>
        (leading.get(address) ?? [])
          .filter(({ netns }) => netns !== pod.netns)
          .map(({ netns, via, device, kind, table, metric }) =>
            [netns, via, device === pod.veth ? '' : device, kind, table, metric].join(' '),
          )
          .sort(),
      ),
      matched.filter((pattern) => pod.veth.startsWith(pattern.replace(/\+$|\*$/, ''))),
      rules.has(pod.netns) || nft.has(pod.netns) ? pod.netns : '',
      sysctls.get(pod.netns),
    ])
  }
}

/** The names of interfaces that rules match. */
function interfacesIn({ rules, nft }: Pick<TraceState, 'rules' | 'nft'>): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const add = (spec: string) => {
    if (seen.has(spec)) return
    seen.add(spec)
    for (const [, name = ''] of spec.matchAll(
      /(?:-[io] |[io]ifname (?:!= )?"?|--physdev-(?:in|out) )([^\s"]+)/g,
    ))
      found.add(name)
  }
  for (const families of rules.values())
    for (const tables of Object.values(families))
      for (const chains of tables.values())
        for (const chain of chains.values()) for (const { spec } of chain.rules) add(spec)
  for (const { tables } of nft.values())
    for (const { chains } of tables)
      for (const chain of chains.values()) for (const { spec } of chain.rules) add(spec)
  return [...found]
}

function podName({ namespace = 'default', name }: PodPlace): string {
  return `${namespace}/${name}`
}

/** Whether a class can send to an address. */
export function canCall({ family }: SourceClass, address: string): boolean {
  return family === undefined || family === familyOf(address)
}
