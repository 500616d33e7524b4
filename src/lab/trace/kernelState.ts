import { saveProgram } from '../../host/readings.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import type { LinkEnd, Network, Route } from '../../topology/network.js'
import { balancingNow } from './balancingNow.js'
import { connectionsNow } from './connectionsNow.js'
import { listenersNow } from './listenersNow.js'
import { policiesNow } from './policiesNow.js'
import { routesNow } from './routesNow.js'
import type { Sysctls } from '../../topology/sysctls.js'
import type { NftRuleset } from '../../trace/model/nft.js'
import type { RuleTables, TracedRule, TraceState } from '../../trace/model/state.js'
import { listedNft } from '../../trace/nft/listedNft.js'
import { loadRestore } from '../../trace/rules/loadRestore.js'

const what = 'reading the state of the kernel'

/**
 * A state with what the kernel has now in some namespaces: rules of iptables and nftables, the sysctls that matter, routes, links that
 * are down, and the ports of programs. What a rule means comes from the plan, where it has the same rule. Throws CommandError.
 */
export async function withKernelState(
  sandbox: Sandbox,
  state: TraceState,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
): Promise<TraceState> {
  const read = async (netns: string) =>
    Promise.all([
      rulesNow(sandbox, netns, families, state.rules.get(netns) ?? {}),
      sysctlsNow(sandbox, netns, state.sysctls.get(netns) ?? {}),
      routesNow(sandbox, netns, families),
      linksNow(sandbox, netns),
      nftNow(sandbox, netns, state.nft.get(netns)),
      policiesNow(sandbox, netns, families),
      state.rules.has(netns) ? connectionsNow(sandbox, netns) : [],
      balancingNow(sandbox, netns, state, families),
    ])
  const [fabricLinks, ...each] = await Promise.all([
    linksNow(sandbox, undefined),
    ...netnsNames.map(async (netns) => [netns, await read(netns)] as const),
  ])
  const all = new Map(each)
  const rules = new Map(state.rules)
  const sysctls = new Map(state.sysctls)
  const nft = new Map(state.nft)
  const sets = new Map(state.sets)
  const servers = new Map(state.servers)
  for (const [netns, [tables, values, , , native, , , balancing]] of all) {
    if (Object.values(tables).some((one) => one.size > 0)) rules.set(netns, tables)
    sysctls.set(netns, values)
    if (balancing !== undefined) {
      sets.set(netns, balancing.sets)
      servers.set(netns, balancing.servers)
    }
    if (native.tables.length > 0) nft.set(netns, native)
    else nft.delete(netns)
  }
  const routes = [...all.values()].flatMap(([, , own]) => own)
  const links = new Map([
    ...fabricLinks.map((one) => [linkKey(undefined, one.name), one] as const),
    ...[...all].flatMap(([netns, [, , , own]]) => own.map((one) => [linkKey(netns, one.name), one] as const)),
  ])
  const programs = await Promise.all(
    [...state.programs].map(async ([netns, name]) => {
      const sockets = await listenersNow(sandbox, netns, state.listeners, name)
      return { netns, name, sockets }
    }),
  )
  const unread = new Map(
    programs.flatMap(({ netns, name, sockets }) => (sockets === undefined ? [[netns, name] as const] : [])),
  )
  const isKept = ({ netns }: { readonly netns: string }) => !state.programs.has(netns) || unread.has(netns)
  const policies = [...all.values()].flatMap(([, , , , , own]) => own)
  const connections = [...all.values()].flatMap(([, , , , , , own]) => own)
  return {
    ...state,
    rules,
    nft,
    sets,
    servers,
    sysctls,
    policies,
    connections,
    listeners: [...state.listeners.filter(isKept), ...programs.flatMap(({ sockets = [] }) => sockets)],
    programs: unread,
    opaque: new Map([...state.opaque].filter(([netns]) => !all.has(netns))),
    network: networkNow(state.network, routes, links),
  }
}

async function rulesNow(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
  planned: Readonly<Partial<Record<IpFamily, RuleTables>>>,
): Promise<Readonly<Partial<Record<IpFamily, RuleTables>>>> {
  const lists = await usedLists(sandbox, netns)
  const read = async (family: IpFamily) => {
    const { stdout } = await sandbox.must(what, [saveProgram(family)], { netns })
    const tables = stdout.includes('*') ? loadRestore(stdout) : new Map<string, never>()
    return [family, withMeaning(tables, planned[family], lists)] as const
  }
  return Object.fromEntries(await Promise.all(families.map(read)))
}

async function nftNow(sandbox: Sandbox, netns: string, planned: NftRuleset | undefined): Promise<NftRuleset> {
  const { stdout } = await sandbox.must(what, ['nft', '-s', 'list', 'ruleset'], { netns })
  return listedNft(stdout, planned)
}

/** The lists of the match recent that have addresses: whether they hold that of a request is not known before. */
async function usedLists(sandbox: Sandbox, netns: string): Promise<ReadonlySet<string>> {
  const argv = ['sh', '-c', 'grep -ls src= /proc/net/xt_recent/* || true']
  const { stdout } = await sandbox.must(what, argv, { netns })
  return new Set(stdout.split('\n').flatMap((file) => file.split('/').at(-1) ?? []))
}

/** A rule whose list is not predicted. */
function undecided(traced: TracedRule, lists: ReadonlySet<string>): TracedRule {
  const matches = traced.rule.matches.map((match) =>
    match.kind === 'recent' && match.set !== true && lists.has(match.name ?? 'DEFAULT')
      ? { ...match, rcheck: undefined, update: undefined }
      : match,
  )
  return { ...traced, rule: { ...traced.rule, matches } }
}

/** Adds why rules exist, from the rule of the same chain with the same text. */
function withMeaning(
  tables: RuleTables,
  planned: RuleTables = new Map(),
  lists: ReadonlySet<string> = new Set(),
): RuleTables {
  const known = new Map<string, TracedRule>()
  const key = (table: string, chain: string, { rule }: TracedRule) =>
    `${table} ${chain} ${canonicalRule(rule)}`
  for (const [table, chains] of planned)
    for (const [chain, { rules }] of chains)
      for (const rule of rules) known.set(key(table, chain, rule), rule)
  return new Map(
    [...tables].map(([table, chains]) => [
      table,
      new Map(
        [...chains].map(([name, chain]) => [
          name,
          {
            ...chain,
            rules: chain.rules.map((rule) =>
              undecided(known.get(key(table, name, rule)) ?? { ...rule, planned: undefined }, lists),
            ),
          },
        ]),
      ),
    ]),
  )
}

async function sysctlsNow(sandbox: Sandbox, netns: string, planned: Sysctls): Promise<Sysctls> {
  const names = Object.keys(planned)
  if (names.length === 0) return planned
  const { stdout } = await sandbox.must(what, ['sysctl', '-e', ...names], { netns })
  const values = stdout.split('\n').flatMap((line) => {
    const [, name, value] = /^(\S+) = (.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return { ...planned, ...Object.fromEntries(values) }
}

interface LinkNow {
  readonly name: string
  readonly up: boolean
  readonly mtu: number
}

async function linksNow(sandbox: Sandbox, netns: string | undefined): Promise<LinkNow[]> {
  const { stdout } = await sandbox.must(what, ['ip', '-j', 'link'], { netns })
  const links = JSON.parse(stdout) as readonly {
    readonly ifname: string
    readonly flags: readonly string[]
    readonly mtu: number
  }[]
  return links.map(({ ifname, flags, mtu }) => ({ name: ifname, up: flags.includes('UP'), mtu }))
}

function linkKey(netns: string | undefined, name: string): string {
  return `${netns ?? ''} ${name}`
}

function networkNow(
  network: Network,
  routes: readonly Route[],
  links: ReadonlyMap<string, LinkNow>,
): Network {
  const now = (netns: string | undefined, name: string) => links.get(linkKey(netns, name))
  const isDown = (netns: string | undefined, name: string) => now(netns, name)?.up === false
  const withMtu = <End extends LinkEnd>(one: End): End => ({
    ...one,
    mtu: now(one.netns, one.name)?.mtu ?? one.mtu,
  })
  const isSame = (a: Route, b: Route) =>
    a.netns === b.netns && a.to === b.to && a.device === b.device && a.via === b.via
  return {
    ...network,
    links: network.links
      .filter(
        ({ netns, name, type }) =>
          !isDown(netns, name) && !(type.kind === 'veth' && isDown(type.peer.netns, type.peer.name)),
      )
      .map(({ type, ...link }) => ({
        ...withMtu(link),
        type: type.kind === 'veth' ? { ...type, peer: withMtu(type.peer) } : type,
      })),
    routes: [...routes.filter((one) => !network.routes.some((own) => isSame(one, own))), ...network.routes],
  }
}
