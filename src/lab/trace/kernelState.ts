import { readTogether, type Reading } from '../../host/sandbox/readTogether.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { LinkEnd, Network, Route } from '../../topology/network.js'
import type { Sysctls } from '../../topology/sysctls.js'
import type { NftRuleset } from '../../trace/model/nft.js'
import type { TraceState } from '../../trace/model/state.js'
import { listedNft } from '../../trace/nft/listedNft.js'
import { balancingNow } from './balancingNow.js'
import { connectionsNow } from './connectionsNow.js'
import { listenersNow } from './listenersNow.js'
import { policiesNow, withRoutes } from './policiesNow.js'
import { routesNow } from './routesNow.js'
import { rulesNow, withUsedLists } from './rulesNow.js'

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
  const [[fabricLinks], ...each] = await Promise.all([
    readTogether(sandbox, what, {}, [linksNow]),
    ...netnsNames.map(async (netns) => [netns, await read(sandbox, state, netns, families)] as const),
  ])
  const all = new Map(each)
  const rules = new Map(state.rules)
  const sysctls = new Map(state.sysctls)
  const nft = new Map(state.nft)
  const sets = new Map(state.sets)
  const servers = new Map(state.servers)
  for (const [netns, now] of all) {
    if (Object.values(now.rules).some((one) => one.size > 0)) rules.set(netns, now.rules)
    sysctls.set(netns, now.sysctls)
    if (now.balancing !== undefined) {
      sets.set(netns, now.balancing.sets)
      servers.set(netns, now.balancing.servers)
    }
    if (now.nft.tables.length > 0) nft.set(netns, now.nft)
    else nft.delete(netns)
  }
  const links = new Map([
    ...fabricLinks.map((one) => [linkKey(undefined, one.name), one] as const),
    ...[...all].flatMap(([netns, now]) => now.links.map((one) => [linkKey(netns, one.name), one] as const)),
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
  const found = [...all.values()]
  return {
    ...state,
    rules,
    nft,
    sets,
    servers,
    sysctls,
    policies: found.flatMap(({ policies }) => policies),
    connections: found.flatMap(({ connections }) => connections),
    listeners: [...state.listeners.filter(isKept), ...programs.flatMap(({ sockets = [] }) => sockets)],
    programs: unread,
    opaque: new Map([...state.opaque].filter(([netns]) => !all.has(netns))),
    network: networkNow(
      state.network,
      found.flatMap(({ routes }) => routes),
      links,
    ),
  }
}

async function read(sandbox: Sandbox, state: TraceState, netns: string, families: readonly IpFamily[]) {
  const hasRules = state.rules.has(netns)
  const [rules, sysctls, routes, links, nft, policies, connections, balancing] = await readTogether(
    sandbox,
    what,
    { netns },
    [
      rulesNow(families, state.rules.get(netns) ?? {}),
      sysctlsNow(state.sysctls.get(netns) ?? {}),
      routesNow(netns, families),
      linksNow,
      nftNow(state.nft.get(netns)),
      policiesNow(netns, families),
      connectionsNow(netns, hasRules ? families : []),
      balancingNow(netns, state, families),
    ],
  )
  return {
    ...{ sysctls, routes, links, nft, connections, balancing },
    rules: await withUsedLists(sandbox, netns, rules),
    policies: await withRoutes(sandbox, policies),
  }
}

function nftNow(planned: NftRuleset | undefined): Reading<NftRuleset> {
  return { commands: [['nft', '-s', 'list', 'ruleset']], parse: ([text = '']) => listedNft(text, planned) }
}

function sysctlsNow(planned: Sysctls): Reading<Sysctls> {
  const names = Object.keys(planned)
  return {
    commands: names.length === 0 ? [] : [['sysctl', '-e', ...names]],
    parse: ([text = '']) => {
      const values = text.split('\n').flatMap((line) => {
        const [, name, value] = /^(\S+) = (.*)$/.exec(line) ?? []
        return name === undefined || value === undefined ? [] : [[name, value] as const]
      })
      return { ...planned, ...Object.fromEntries(values) }
    },
  }
}

interface LinkNow {
  readonly name: string
  readonly up: boolean
  readonly mtu: number
}

const linksNow: Reading<LinkNow[]> = {
  commands: [['ip', '-j', 'link']],
  parse: ([text = '']) => {
    const links = JSON.parse(text) as readonly {
      readonly ifname: string
      readonly flags: readonly string[]
      readonly mtu: number
    }[]
    return links.map(({ ifname, flags, mtu }) => ({ name: ifname, up: flags.includes('UP'), mtu }))
  },
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
