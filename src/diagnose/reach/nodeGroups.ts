import { allElements } from '../../netfilter/nft/elements.js'
import { groupBy } from '../../groupBy.js'
import type { Meaning } from '../../agents/meaning.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import type { NodePlace, Topology } from '../../topology/types.js'
import { Cuts, oneAddress, type Constants } from './cuts.js'

/** Nodes that nothing but their names and addresses distinguishes, for requests to one Service. */
export interface NodeGroup {
  readonly first: NodePlace
  /** Another one of them: what the first one sends to it is sent between any two. */
  readonly second?: NodePlace | undefined
  readonly size: number
}

/** What a word of a state belongs to: a node itself, or a pod on it. */
interface Owner {
  readonly node: string
  /** The namespace of the pod; that of the node for its own words. */
  readonly thing: string
  /** `address 0`, `range 0`, `pod address 0` */
  readonly role: string
}

/**
 * The nodes of states in groups. Two nodes are in one group if both states stay as they are when the two are exchanged: what a node says
 * about itself is equal, and what hosts say about single nodes, they say about all of them or about none. Otherwise the nodes
 * are named, which sets them apart.
 */
export class NodeGroups {
  readonly #nodes: readonly NodePlace[]
  readonly #forms = new Map<string, string>()
  /** Texts of rules for Services, by node and Service. */
  readonly #ofServices = new Map<string, number[]>()
  readonly #known = new Map<string, number>()
  readonly #owners: ReadonlyMap<string, Owner>
  readonly #constants: Constants

  constructor(states: readonly TraceState[], topology: Topology, constants: Constants) {
    this.#nodes = topology.nodes
    this.#constants = constants
    this.#owners = ownersOf(states, topology)
    const cuts = new Cuts(
      constants.general.filter(
        (range) => !this.#owners.has(range) && !this.#owners.has(oneAddress(range) ?? ''),
      ),
    )
    const parts = new Map(topology.nodes.map(({ name }) => [name, new Set<string>()]))
    for (const node of topology.nodes) {
      const own = parts.get(node.name)
      for (const { address } of node.addresses) own?.add(`is ${cuts.keyOf(address)}`)
      for (const pod of topology.pods)
        if (pod.node === node.name)
          own?.add(`has ${pod.addresses.map(({ address }) => cuts.keyOf(address)).join()}`)
    }
    for (const [index, state] of states.entries()) this.#add(state, `${index}`, topology, parts)
    for (const [name, lines] of parts) this.#forms.set(name, [...lines].sort().join('\n'))
  }

  /** The groups for requests to a Service. Nodes that its rules name, such as those of its endpoints, are alone. */
  of(service: string | undefined): NodeGroup[] {
    const named = new Set(
      [...(service === undefined ? [] : (this.#constants.ofServices.get(service) ?? []))].flatMap(
        (range) => this.#owners.get(oneAddress(range) ?? range)?.node ?? [],
      ),
    )
    const groups = groupBy(this.#nodes, ({ name }) =>
      named.has(name)
        ? name
        : `${this.#forms.get(name)} ; ${(this.#ofServices.get(`${name} ${service}`) ?? []).sort((a, b) => a - b).join()}`,
    )
    return [...groups.values()].flatMap((own) => {
      const [first, second] = own
      return first === undefined ? [] : [{ first, second, size: own.length }]
    })
  }

  #add(state: TraceState, side: string, topology: Topology, parts: ReadonlyMap<string, Set<string>>): void {
    const nodeAt = new Map(topology.nodes.map(({ netns, name }) => [netns, name]))
    const podNodes = new Map(topology.pods.map(({ netns, node }) => [netns, node]))
    const all = groupBy(this.#owners.keys(), (word) => this.#owners.get(word)?.role ?? '')
    for (const [host, lines] of linesOf(state)) {
      const self = nodeAt.get(host) ?? podNodes.get(host)
      const isNode = nodeAt.has(host)
      /** The words that a template is filled with, by template. */
      const filled = new Map<string, { readonly role: string; readonly words: Set<string> }>()
      for (const { text, service } of lines) {
        if (service !== undefined && isNode && self !== undefined) {
          this.#addOfService(`${self} ${service}`, `${side} ${this.#withoutOwn(text, self)}`)
          continue
        }
        const found: { readonly owner: Owner; readonly word: string }[] = []
        const template = text.replace(wordsOf, (word) => {
          const owner = this.#ownerOf(word)
          if (owner === undefined) return word
          if (owner.thing === host || (owner.node === self && !owner.role.startsWith('pod')))
            return `own ${owner.role}`
          found.push({ owner, word: this.#owners.has(word) ? word : (oneAddress(word) ?? word) })
          return owner.node === self ? `local ${owner.role}` : `other ${owner.role}`
        })
        // a pod says which node it is on
        const first = found.find(({ owner }) => owner.role.startsWith('pod')) ?? found[0]
        if (first === undefined) parts.get(self ?? '')?.add(`${side} ${isNode ? '' : 'pod '}${template}`)
        else if (found.some(({ owner }) => !isAbout(owner, first.owner))) {
          // a fact about two of them sets both apart
          for (const { owner } of found) parts.get(owner.node)?.add(`${side} ${host} ${text}`)
          parts.get(self ?? '')?.add(`${side} ${host} ${text}`)
        } else {
          const known = filled.get(template) ?? { role: first.owner.role, words: new Set<string>() }
          filled.set(template, known)
          known.words.add(first.word)
        }
      }
      for (const [template, { role, words }] of filled) {
        const isLocal = template.includes('local ')
        const possible = (all.get(role) ?? []).filter((word) => {
          const node = this.#owners.get(word)?.node
          return isLocal ? node === self : node !== self
        })
        const where = isNode ? '' : 'pod '
        if (possible.every((word) => words.has(word)))
          parts.get(self ?? '')?.add(`${side} ${where}${template} for all`)
        else {
          parts.get(self ?? '')?.add(`${side} ${where}${template} for ${[...words].sort().join(' ')}`)
          // those that are named are not like those that are not
          for (const word of words)
            parts.get(this.#owners.get(word)?.node ?? '')?.add(`${side} ${host} has ${template}`)
        }
      }
    }
  }

  #ownerOf(word: string): Owner | undefined {
    return this.#owners.get(word) ?? this.#owners.get(oneAddress(word) ?? '')
  }

  #withoutOwn(text: string, self: string): string {
    return text.replace(wordsOf, (word) => {
      const owner = this.#ownerOf(word)
      return owner?.node === self && !owner.role.startsWith('pod') ? `own ${owner.role}` : word
    })
  }

  /** Texts are kept as numbers: there are as many as rules on all nodes. */
  #addOfService(key: string, text: string): void {
    const number = this.#known.get(text) ?? this.#known.size
    this.#known.set(text, number)
    const own = this.#ofServices.get(key)
    if (own === undefined) this.#ofServices.set(key, [number])
    else own.push(number)
  }
}

/** Whether a word is about the same node, and about no other pod. */
function isAbout({ node, thing, role }: Owner, about: Owner): boolean {
  return node === about.node && (thing === about.thing || !role.startsWith('pod'))
}

const wordsOf = /[\w.:/-]+/g

/** The words that belong to one node: addresses, ranges of pods, names, MAC addresses. */
function ownersOf(states: readonly TraceState[], { nodes, pods }: Topology): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  const nodeAt = new Map(nodes.map(({ netns, name }) => [netns, name]))
  const podAt = new Map(pods.map((pod) => [pod.netns, pod]))
  for (const { name, netns, addresses, podRanges } of nodes) {
    const own = { node: name, thing: netns }
    addresses.forEach(({ address }, index) => owners.set(address, { ...own, role: `address ${index}` }))
    podRanges.forEach(({ cidr, gateway }, index) =>
      owners
        .set(cidr, { ...own, role: `range ${index}` })
        .set(cidr.replace(/\/.*/, ''), { ...own, role: `range base ${index}` })
        .set(gateway.address, { ...own, role: `gateway ${index}` }),
    )
  }
  for (const { netns, node, veth, addresses } of pods) {
    const own = { node, thing: netns }
    owners.set(veth, { ...own, role: 'pod veth' })
    addresses.forEach(({ address }, index) => owners.set(address, { ...own, role: `pod address ${index}` }))
  }
  for (const { network } of states)
    for (const link of network.links)
      for (const { netns = fabricPlace, name, mac } of link.type.kind === 'veth'
        ? [link, link.type.peer]
        : [link]) {
        const pod = podAt.get(netns)
        if (mac === undefined) continue
        if (pod !== undefined) owners.set(mac, { node: pod.node, thing: netns, role: `pod mac ${name}` })
        const node = nodeAt.get(netns)
        if (node !== undefined && !owners.has(name))
          owners.set(mac, { node, thing: netns, role: `mac ${name}` })
      }
  return owners
}

interface Line {
  readonly text: string
  /** Of a rule for a Service. */
  readonly service?: string | undefined
}

/** Everything that a state says about hosts, by host, one fact a line. */
function linesOf(state: TraceState): Map<string, Line[]> {
  const found = new Map<string, Line[]>()
  const add = (host: string | undefined, text: string, { object }: Meaning = {}) => {
    const service = object?.kind === 'Service' ? `${object.namespace ?? 'default'}/${object.name}` : undefined
    const own = found.get(host ?? fabricPlace) ?? []
    found.set(host ?? fabricPlace, own)
    own.push({ text, service })
  }
  const other = (host: string | undefined, kind: string, value: object) =>
    add(host, `${kind} ${JSON.stringify(value)}`)
  for (const [host, families] of state.rules)
    for (const [family, tables] of Object.entries(families))
      for (const [table, chains] of tables)
        for (const [name, { policy, rules }] of chains) {
          if (policy !== undefined) add(host, `${family} ${table} ${name} policy ${policy}`)
          addRules(`${family} ${table} ${name}`, rules, (text, rule) => add(host, text, rule))
        }
  for (const [host, { tables, order }] of state.nft) {
    other(host, 'order', order)
    for (const { family, name: table, chains, sets } of tables) {
      for (const [name, { hook, rules }] of chains) {
        if (hook !== undefined) other(host, `${family} ${table} ${name}`, hook)
        addRules(`${family} ${table} ${name}`, rules, (text, rule) => add(host, text, rule))
      }
      for (const [name, { elements, meanings }] of sets)
        for (const { text, value } of allElements(elements))
          add(host, `${family} ${table} ${name} ${text} ${value}`, meanings.get(text))
    }
  }
  for (const [host, sets] of state.sets ?? [])
    for (const [name, { entries, meanings, ...set }] of sets) {
      other(host, `set ${name}`, set)
      for (const entry of entries) add(host, `set ${name} ${entry}`, meanings.get(entry))
    }
  for (const [host, servers] of state.servers ?? [])
    for (const server of servers) add(host, `server ${JSON.stringify({ ...server, why: undefined })}`, server)
  for (const [host, values] of state.sysctls)
    for (const [name, value] of Object.entries(values)) add(host, `sysctl ${name} ${value}`)
  const { links, devices, ports, neighbours, routes, forwarding } = state.network
  const ends = links.flatMap(({ type, ...end }) =>
    type.kind === 'veth' ? [end, type.peer] : [{ ...end, type }],
  )
  for (const { netns, index: _index, ...end } of ends) if (netns !== undefined) other(netns, 'link', end)
  for (const { netns, ...one } of devices) other(netns, 'device', one)
  for (const { netns, ...one } of ports) if (netns !== undefined) other(netns, 'port', one)
  for (const { netns, ...one } of neighbours) other(netns, 'neighbour', one)
  for (const { netns, ...one } of routes) other(netns, 'route', one)
  for (const { netns, ...one } of forwarding) other(netns, 'forwarding', one)
  for (const { netns, name: _name, ...one } of state.listeners) other(netns, 'listener', one)
  for (const { netns, ...one } of state.announced) other(netns, 'announced', one)
  for (const { netns, ...one } of state.policies ?? []) other(netns, 'policy', one)
  for (const { place, ...one } of state.connections ?? []) other(place, 'connection', one)
  for (const { place, what } of state.unread ?? []) add(place, `unread ${what}`)
  for (const [host, why] of state.opaque) add(host, `opaque ${why}`)
  for (const [host] of state.programs) add(host, 'program')
  for (const [host, range] of state.silent ?? []) add(host, `silent ${range}`)
  for (const [host, lists] of state.recent ?? [])
    for (const [name, addresses] of lists)
      for (const address of addresses) add(host, `recent ${name} ${address}`)
  return found
}

/** The rules of a chain, each with its place among those for the same Service. */
function addRules<Rule extends Meaning & { readonly spec: string }>(
  chain: string,
  rules: readonly Rule[],
  add: (text: string, rule: Rule) => void,
): void {
  const counts = new Map<string, number>()
  for (const rule of rules) {
    const { object } = rule
    const key = object === undefined ? '' : `${object.namespace} ${object.name}`
    const place = counts.get(key) ?? 0
    counts.set(key, place + 1)
    add(`${chain} ${place} ${rule.spec}`, rule)
  }
}
