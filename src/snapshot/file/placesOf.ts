import type { NftElement, NftHook } from '../../netfilter/nft/model.js'
import { allElements, elementsOf } from '../../netfilter/nft/elements.js'
import { parseNftRule } from '../../netfilter/nft/statements.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Network } from '../../topology/network.js'
import type { TracedIpset, TracedServer } from '../model/balancing.js'
import type { Meaning } from '../../agents/meaning.js'
import type { NftRuleset, NftTracedRule } from '../model/nft.js'
import {
  fabricPlace,
  type KnownConnection,
  type Listener,
  type PolicyRule,
  type RuleTables,
  type TracedRule,
  type TraceState,
} from '../model/state.js'

/** A rule as its tool lists it, and what is known about it. */
interface SavedRule extends Meaning {
  readonly spec: string
}

interface SavedChain {
  /** Of a chain that is built in. */
  readonly policy?: string | undefined
  readonly rules: readonly SavedRule[]
}

type Named<Value> = Readonly<Record<string, Value>>
type Without<Value> = Value extends unknown ? Omit<Value, 'netns' | 'place'> : never

/** One network namespace in a file: every field but `network` is absent where the namespace has none of it. */
export interface SavedPlace {
  readonly network: { readonly [Part in keyof Network]: readonly Without<Network[Part][number]>[] }
  readonly policies?: readonly Without<PolicyRule>[] | undefined
  /** Addresses for which it answers although they are not its own. */
  readonly announced?: readonly Without<TraceState['announced'][number]>[] | undefined
  readonly silent?: string | undefined
  readonly sysctls: Named<string | number>
  /** Tables of iptables by family and name, and their chains. */
  readonly iptables: Readonly<Partial<Record<IpFamily, Named<Named<SavedChain>>>>>
  readonly nftables: {
    readonly order: readonly string[]
    readonly tables: readonly {
      readonly family: string
      readonly name: string
      readonly chains: Named<{
        readonly hook?: NftHook | undefined
        readonly rules: readonly SavedRule[]
      }>
      readonly sets: Named<{
        readonly elements: readonly NftElement[]
        readonly meanings: Named<Meaning>
      }>
    }[]
  }
  readonly ipsets?:
    | Named<{
        readonly type: string
        readonly entries: readonly string[]
        readonly exceptions?: readonly string[] | undefined
        readonly meanings: Named<Meaning>
        readonly unknown?: string | undefined
      }>
    | undefined
  readonly virtualServers?: readonly TracedServer[] | undefined
  /** Sockets that wait for packets. */
  readonly listeners: readonly Without<Listener>[]
  /** A program whose sockets are not known. */
  readonly program?: string | undefined
  readonly connections?: readonly Without<KnownConnection>[] | undefined
  /** Addresses in the lists of the match recent. */
  readonly recent?: Named<readonly string[]> | undefined
  /** What could not be read, and why. */
  readonly unread?: readonly { readonly what: string; readonly why: string }[] | undefined
  /** Why no packet is followed through it. */
  readonly opaque?: string | undefined
}

/** A state as plain JSON: its namespaces by name. */
export function placesOf(state: TraceState): Named<SavedPlace> {
  const { network } = state
  const names = new Set([
    ...network.devices.map(({ netns }) => netns ?? fabricPlace),
    ...[state.rules, state.nft, state.sysctls, state.opaque].flatMap((map) => [...map.keys()]),
  ])
  return Object.fromEntries([...names].map((name) => [name, placeOf(state, name)]))
}

function placeOf(state: TraceState, name: string): SavedPlace {
  const { network } = state
  const own = <Value extends { readonly netns?: string | undefined }>(all: readonly Value[] = []) =>
    all.flatMap(({ netns, ...rest }) => ((netns ?? fabricPlace) === name ? [rest as Without<Value>] : []))
  const ofPlace = <Value extends { readonly place: string }>(all: readonly Value[] = []) =>
    all.flatMap(({ place, ...rest }) => (place === name ? [rest as Without<Value>] : []))
  const some = <Value>(all: readonly Value[]) => (all.length === 0 ? undefined : all)
  const rules = state.rules.get(name)
  const nft = state.nft.get(name)
  const sets = state.sets?.get(name)
  const recent = state.recent?.get(name)
  return {
    network: {
      links: own(network.links),
      devices: own(network.devices),
      ports: own(network.ports),
      neighbours: own(network.neighbours),
      routes: own(network.routes),
      forwarding: own(network.forwarding),
    },
    policies: some(own(state.policies)),
    announced: some(own(state.announced)),
    silent: state.silent?.get(name),
    sysctls: state.sysctls.get(name) ?? {},
    iptables: mapped(rules ?? {}, (tables) => tables && savedTables(tables)),
    nftables: savedNft(nft ?? { order: [], tables: [] }),
    ipsets:
      sets &&
      objectOf(sets, ({ entries, meanings, ...set }) => ({
        ...set,
        entries: [...entries],
        meanings: objectOf(meanings),
      })),
    virtualServers: state.servers?.get(name),
    listeners: own(state.listeners),
    program: state.programs.get(name),
    connections: some(ofPlace(state.connections)),
    recent: recent && objectOf(recent, (addresses) => [...addresses]),
    unread: some(ofPlace(state.unread)),
    opaque: state.opaque.get(name),
  }
}

function savedTables(tables: RuleTables): Named<Named<SavedChain>> {
  return objectOf(tables, (chains) =>
    objectOf(chains, ({ policy, rules }) => ({ policy, rules: rules.map(savedRule) })),
  )
}

function savedRule({ spec, owner, why, object }: TracedRule | NftTracedRule): SavedRule {
  return { spec, owner, why, object }
}

function savedNft({ order, tables }: NftRuleset): SavedPlace['nftables'] {
  return {
    order,
    tables: tables.map(({ family, name, chains, sets }) => ({
      ...{ family, name },
      chains: objectOf(chains, ({ hook, rules }) => ({ hook, rules: rules.map(savedRule) })),
      sets: objectOf(sets, ({ elements, meanings }) => ({
        elements: [...allElements(elements)],
        meanings: objectOf(meanings),
      })),
    })),
  }
}

/** The state of namespaces that `placesOf` has written. */
export function stateOfPlaces(places: Named<SavedPlace>): TraceState {
  const all = Object.entries(places)
  const byName = <Value>(value: (place: SavedPlace) => Value | undefined): ReadonlyMap<string, Value> =>
    new Map(
      all.flatMap(([name, place]) => {
        const own = value(place)
        return own === undefined ? [] : [[name, own] as const]
      }),
    )
  type Listed = (place: SavedPlace) => readonly object[] | undefined
  const each = <Value extends object>(list: Listed) =>
    all.flatMap(([name, place]) => {
      const netns = name === fabricPlace ? undefined : name
      return (list(place) ?? []).map((one) => ({ netns, ...one }) as unknown as Value)
    })
  const inNamespace = <Value extends object>(list: Listed) =>
    all.flatMap(([netns, place]) => (list(place) ?? []).map((one) => ({ netns, ...one }) as unknown as Value))
  const inPlace = <Value extends object>(list: Listed) =>
    all.flatMap(([place, saved]) => (list(saved) ?? []).map((one) => ({ place, ...one }) as unknown as Value))
  return {
    network: {
      links: each(({ network }) => network.links),
      devices: each(({ network }) => network.devices),
      ports: each(({ network }) => network.ports),
      neighbours: each(({ network }) => network.neighbours),
      routes: each(({ network }) => network.routes),
      forwarding: each(({ network }) => network.forwarding),
    },
    rules: byName(({ iptables }) =>
      Object.keys(iptables).length === 0
        ? undefined
        : mapped(iptables, (tables) => tables && loadedTables(tables)),
    ),
    nft: byName(({ nftables }) => (nftables.order.length === 0 ? undefined : loadedNft(nftables))),
    sets: byName(({ ipsets }) => ipsets && mapOf(ipsets, loadedSet)),
    servers: byName(({ virtualServers }) => virtualServers),
    sysctls: byName(({ sysctls }) => sysctls),
    listeners: inNamespace(({ listeners }) => listeners),
    programs: byName(({ program }) => program),
    announced: inNamespace(({ announced }) => announced),
    silent: byName(({ silent }) => silent),
    policies: inNamespace(({ policies }) => policies),
    connections: inPlace(({ connections }) => connections),
    recent: byName(({ recent }) => recent && mapOf(recent, (addresses) => new Set(addresses))),
    unread: inPlace(({ unread }) => unread),
    opaque: byName(({ opaque }) => opaque),
  }
}

function loadedTables(tables: Named<Named<SavedChain>>): RuleTables {
  return mapOf(tables, (chains) =>
    mapOf(chains, ({ rules, ...chain }) => ({
      ...chain,
      rules: rules.map((rule): TracedRule => ({ ...rule, rule: parseRule(rule.spec) })),
    })),
  )
}

function loadedNft({ order, tables }: SavedPlace['nftables']): NftRuleset {
  return {
    order,
    tables: tables.map(({ chains, sets, ...table }) => ({
      ...table,
      chains: mapOf(chains, ({ rules, ...chain }) => ({
        ...chain,
        rules: rules.map((rule) => ({ ...rule, statements: parseNftRule(rule.spec) })),
      })),
      sets: mapOf(sets, ({ elements, meanings }) => ({
        elements: elementsOf(elements),
        meanings: mapOf(meanings, (meaning) => meaning),
      })),
    })),
  }
}

function loadedSet(set: NonNullable<SavedPlace['ipsets']>[string]): TracedIpset {
  return {
    ...set,
    entries: new Set(set.entries),
    meanings: mapOf(set.meanings, (meaning) => meaning),
  }
}

function objectOf<Value>(map: ReadonlyMap<string, Value>): Named<Value>
function objectOf<Value, Saved>(map: ReadonlyMap<string, Value>, save: (value: Value) => Saved): Named<Saved>
function objectOf<Value>(
  map: ReadonlyMap<string, Value>,
  save: (value: Value) => unknown = (value) => value,
): Named<unknown> {
  return Object.fromEntries([...map].map(([key, value]) => [key, save(value)]))
}

function mapOf<Saved, Value>(saved: Named<Saved>, load: (saved: Saved) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(saved).map(([key, value]) => [key, load(value)]))
}

function mapped<Key extends string, Value, Result>(
  object: Readonly<Partial<Record<Key, Value>>>,
  change: (value: Value | undefined) => Result | undefined,
): Readonly<Partial<Record<Key, Result>>> {
  const entries = Object.entries(object) as [Key, Value][]
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const result = change(value)
      return result === undefined ? [] : [[key, result]]
    }),
  ) as Readonly<Partial<Record<Key, Result>>>
}
