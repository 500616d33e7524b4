import type { IpFamily } from '../net/ipFamily.js'
import type { BridgePort, LinkEnd, Neighbour, Network, Route } from '../topology/network.js'
import { allElements } from '../netfilter/nft/elements.js'
import { nftTableName, type NftRuleset, type NftTracedChain, type NftTracedSet } from './model/nft.js'
import type { TracedIpset } from './model/balancing.js'
import type { RuleTables, TracedChain, TraceState } from './model/state.js'

/**
 * What the kernel of a running lab has after its objects have changed: the chains of kube-proxy and the CNI plugins that
 * differ between the two plans are those of the second one; built-in chains and those of others stay. Rules of other programs and settings of hosts are the kernel’s.
 */
export function asChanged(kernel: TraceState, before: TraceState, after: TraceState): TraceState {
  const places = new Set([...kernel.rules.keys(), ...after.rules.keys()])
  const rules = new Map(
    [...places].map((place) => {
      const [own, was, is] = [kernel, before, after].map(({ rules: all }) => all.get(place) ?? {})
      const families = ['IPv4', 'IPv6'] as const satisfies readonly IpFamily[]
      const changed = families.flatMap((family) => {
        const tables = tablesAsChanged(own?.[family], was?.[family], is?.[family])
        return tables === undefined ? [] : [[family, tables] as const]
      })
      return [place, Object.fromEntries(changed)] as const
    }),
  )
  // sockets of programs that the change starts are not known
  const programs = new Map([
    ...kernel.programs,
    ...[...after.programs].filter(([netns]) => !before.programs.has(netns)),
  ])
  const listeners = listAsChanged(
    ...[kernel.listeners, before.listeners, after.listeners],
    ({ netns, protocol, port, address }) => `${netns} ${protocol} ${port} ${address}`,
  )
  const announced = listAsChanged(kernel.announced, before.announced, after.announced, JSON.stringify)
  const network = networkAsChanged(kernel.network, before.network, after.network)
  // what the change adds runs with the settings of the plan
  const sysctls = new Map([...after.sysctls, ...kernel.sysctls])
  const nft = new Map(
    [...new Set([...kernel.nft.keys(), ...after.nft.keys()])].map((place) => {
      const [own = noTables, was = noTables, is = noTables] = [kernel, before, after].map(({ nft: all }) =>
        all.get(place),
      )
      return [place, nftAsChanged(own, was, is)] as const
    }),
  )
  const sets = hostsAsChanged(kernel.sets, before.sets, after.sets, setsText)
  const servers = hostsAsChanged(kernel.servers, before.servers, after.servers, JSON.stringify)
  return { ...kernel, network, rules, nft, sets, servers, sysctls, listeners, programs, announced }
}

function networkAsChanged(kernel: Network, before: Network, after: Network): Network {
  const end = ({ netns, name }: LinkEnd) => `${netns} ${name}`
  const route = ({ netns, to, via, device, table }: Route) => `${netns} ${to} ${via} ${device} ${table}`
  const neighbour = ({ netns, device, address }: Neighbour) => `${netns} ${device} ${address}`
  const port = ({ netns, device }: BridgePort) => `${netns} ${device}`
  return {
    links: listAsChanged(kernel.links, before.links, after.links, end),
    devices: listAsChanged(kernel.devices, before.devices, after.devices, end),
    ports: listAsChanged(kernel.ports, before.ports, after.ports, port),
    neighbours: listAsChanged(kernel.neighbours, before.neighbours, after.neighbours, neighbour),
    routes: listAsChanged(kernel.routes, before.routes, after.routes, route),
    forwarding: listAsChanged(kernel.forwarding, before.forwarding, after.forwarding, JSON.stringify),
  }
}

/** What the kernel has, without what only the first plan has, and with what is new or other in the second one. */
function listAsChanged<Value>(
  kernel: readonly Value[],
  before: readonly Value[],
  after: readonly Value[],
  keyOf: (value: Value) => string,
): readonly Value[] {
  const texts = new Map(before.map((one) => [keyOf(one), JSON.stringify(one)]))
  const kept = new Set(after.map(keyOf))
  const changed = after.filter((one) => texts.get(keyOf(one)) !== JSON.stringify(one))
  const replaced = new Set(changed.map(keyOf))
  const gone = (key: string) => replaced.has(key) || (texts.has(key) && !kept.has(key))
  return [...kernel.filter((one) => !gone(keyOf(one))), ...changed]
}

/** What hosts have in the kernel; of those that a change affects, what the second plan has. */
function hostsAsChanged<Value>(
  kernel: ReadonlyMap<string, Value> = new Map(),
  before: ReadonlyMap<string, Value> | undefined,
  after: ReadonlyMap<string, Value> = new Map(),
  text: (value: Value | undefined) => string | undefined,
): ReadonlyMap<string, Value> {
  const changed = [...after].filter(([place, value]) => text(before?.get(place)) !== text(value))
  return new Map([...kernel, ...changed])
}

function setsText(sets: ReadonlyMap<string, TracedIpset> | undefined): string | undefined {
  return sets && [...sets].map(([name, { entries }]) => `${name} ${[...entries].join(' ')}`).join('\n')
}

function tablesAsChanged(
  kernel: RuleTables | undefined,
  before: RuleTables | undefined,
  after: RuleTables | undefined,
): RuleTables | undefined {
  if (kernel === undefined) return after
  return new Map(
    [...new Set([...kernel.keys(), ...(after?.keys() ?? [])])].map((table) => {
      const chains = new Map(kernel.get(table))
      const [was, is] = [before?.get(table), after?.get(table)]
      for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
        const next = is?.get(name)
        if ((next ?? was?.get(name))?.policy !== undefined || textOf(was?.get(name)) === textOf(next))
          continue
        if (next === undefined) chains.delete(name)
        else chains.set(name, next)
      }
      return [table, chains] as const
    }),
  )
}

const noTables: NftRuleset = { tables: [], order: [] }

/** A table that the change makes is the newest one; one that it removes is left out. */
function nftAsChanged(kernel: NftRuleset, before: NftRuleset, after: NftRuleset): NftRuleset {
  const tableIn = ({ tables }: NftRuleset, name: string) => tables.find((one) => nftTableName(one) === name)
  const isMade = (name: string) =>
    [kernel, before].every((one) => tableIn(one, name) === undefined) && tableIn(after, name) !== undefined
  const isRemoved = (name: string) =>
    tableIn(before, name) !== undefined && tableIn(after, name) === undefined
  const made = after.tables.filter((table) => isMade(nftTableName(table)))
  const kept = kernel.tables.flatMap((table) => {
    const name = nftTableName(table)
    if (isRemoved(name)) return []
    const is = tableIn(after, name)
    if (is === undefined) return [table]
    const was = tableIn(before, name)
    return [
      {
        ...table,
        chains: mapAsChanged(table.chains, was?.chains, is.chains, nftTextOf),
        sets: mapAsChanged(table.sets, was?.sets, is.sets, elementsText),
      },
    ]
  })
  return {
    tables: [...kept, ...made],
    order: [...kernel.order.filter((name) => !isRemoved(name)), ...made.map(nftTableName)],
  }
}

/** The kernel’s chains or sets; those whose text differs between the plans are those of the second plan. */
function mapAsChanged<Value>(
  kernel: ReadonlyMap<string, Value>,
  before: ReadonlyMap<string, Value> | undefined,
  after: ReadonlyMap<string, Value>,
  text: (value: Value | undefined) => string | undefined,
): ReadonlyMap<string, Value> {
  const next = new Map(kernel)
  for (const name of new Set([...(before?.keys() ?? []), ...after.keys()])) {
    const value = after.get(name)
    if (text(before?.get(name)) === text(value)) continue
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}

function nftTextOf(chain: NftTracedChain | undefined): string | undefined {
  return chain?.rules.map(({ spec }) => spec).join('\n')
}

function elementsText(set: NftTracedSet | undefined): string | undefined {
  return set && [...allElements(set.elements)].map(({ text, value = '' }) => `${text} : ${value}`).join('\n')
}

function textOf(chain: TracedChain | undefined): string | undefined {
  return chain?.rules.map(({ spec }) => spec).join('\n')
}
