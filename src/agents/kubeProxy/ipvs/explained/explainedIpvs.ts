import type { IpFamily } from '../../../../net/ipFamily.js'
import type { Language } from '../../../../text/language.js'
import { explainWritten } from '../../iptables/explained/explainedRuleset.js'
import type {
  ExplainedChain,
  ExplainedPort,
  ExplainedRule,
  ExplainedRuleset,
  ExplainedService,
} from '../../iptables/explained/types.js'
import type { ProxyInput } from '../../input.js'
import type { FoundIpvs } from '../found.js'
import { listedEntry } from '../ipset.js'
import { ipvsPorts, existingServers, type IpvsPort } from '../ports.js'
import { serverName } from '../serverChanges.js'
import { nameInFamily, setNames } from '../sets.js'
import { buildIpvs } from '../state.js'
import { ipvsDevice } from '../types.js'
import { explainIpvsRule } from './explainIpvsRule.js'
import { explainServer, unusedServer, type Connections } from './explainedServer.js'
import { ipvsTexts } from './texts.js'

/**
 * Compares a node's state with what mode ipvs creates, in the shape of `explainRuleset`: with each Service its
 * addresses on kube-ipvs0 (`device`), its entries in ipsets (`ipset`) and its virtual servers (`ipvs`), whose rules are
 * the scheduler and the real servers. The iptables rules are not listed by Service.
 */
export function explainIpvs(
  input: ProxyInput,
  family: IpFamily,
  found: FoundIpvs,
  connections: Connections,
  language: Language,
): ExplainedRuleset {
  const placed = { ...input, localAddresses: found.elsewhere }
  const state = buildIpvs(placed, family)
  const ports = ipvsPorts(placed, family)
  const written = [
    ...state.jumps.map((rule) => ({ table: rule.table, rule, why: explainIpvsRule(rule, language) })),
    ...(['nat', 'filter'] as const).flatMap((table) =>
      // those of source ranges have only an address, so that existing rules cannot be assigned to Services
      state[table].rules.map(({ port: _, ...rule }) => ({
        table,
        rule,
        why: explainIpvsRule(rule, language),
      })),
    ),
  ]
  const rules = explainWritten(
    { family, ports: ports.map(({ port }) => port), written },
    found.tables,
    language,
  )
  const shared = [...rules.first, ...rules.last]
  return {
    family,
    first: shared.filter(({ chain }) => !isMetAfterIpvs(chain)),
    services: servicesOf(ports, (port) => existing(port, ports, found, connections, family, language)),
    last: shared.filter(({ chain }) => isMetAfterIpvs(chain)),
    others: [...rules.others, ...unusedParts(state, found, connections, language)],
  }
}

/** IPVS takes packets at the end of INPUT and OUTPUT; they then pass FORWARD or OUTPUT, and POSTROUTING. */
function isMetAfterIpvs(chain: string): boolean {
  return ['FORWARD', 'KUBE-FORWARD', 'POSTROUTING', 'KUBE-POSTROUTING'].includes(chain)
}

function servicesOf(
  ports: readonly IpvsPort[],
  chainsOf: (port: IpvsPort) => readonly ExplainedChain[],
): readonly ExplainedService[] {
  const found = new Map<string, ExplainedPort[]>()
  for (const one of ports) {
    const { namespace, service, name, port, protocol } = one.port
    const key = `${namespace}/${service}`
    found.set(key, [...(found.get(key) ?? []), { name, port: `${port}/${protocol}`, chains: chainsOf(one) }])
  }
  return [...found].map(([key, own]) => {
    const [namespace = '', name = ''] = key.split('/')
    return { namespace, name, ports: own }
  })
}

/** What one port requires, with its state, in the order of a packet's path. */
function existing(
  one: IpvsPort,
  ports: readonly IpvsPort[],
  found: FoundIpvs,
  connections: Connections,
  family: IpFamily,
  language: Language,
): readonly ExplainedChain[] {
  const texts = ipvsTexts[language]
  const bound = new Set(found.bound)
  const device: ExplainedChain = {
    ...{ table: 'device', chain: ipvsDevice, about: texts.device },
    rules: one.bound.map((address) => ({
      state: bound.has(address) ? 'expected' : 'missing',
      spec: address,
      why: texts.boundAddress,
    })),
  }
  const sets = setNames.map((name): ExplainedChain => {
    const own = nameInFamily(name, family)
    const entries = new Set(
      one.entries.filter(([set]) => set === name).map(([, entry]) => listedEntry(entry)),
    )
    const rules = [...entries].map((spec): ExplainedRule => ({
      state: found.sets.get(own)?.has(spec) === true ? 'expected' : 'missing',
      spec,
      why: texts.entries[name],
    }))
    return { table: 'ipset', chain: own, about: texts.sets[name], rules }
  })
  const last = existingServers(ports)
  const servers = one.servers
    .filter((server) => last.get(serverName(server)) === server)
    .map((server) => explainServer(server, one.port, found.servers, connections, language))
  return [device, ...sets, ...servers].filter(({ rules }) => rules.length > 0)
}

/** What no Service uses. */
function unusedParts(
  { family, addresses, sets, virtualServers }: ReturnType<typeof buildIpvs>,
  found: FoundIpvs,
  connections: Connections,
  language: Language,
): readonly ExplainedChain[] {
  const texts = ipvsTexts[language]
  const extra = (spec: string): ExplainedRule => ({ state: 'extra', spec, why: texts.unused })
  const wanted = new Set(virtualServers.map(serverName))
  const own = new Set(addresses)
  const all: ExplainedChain[] = [
    {
      ...{ table: 'device', chain: ipvsDevice, about: '' },
      rules: found.bound.filter((address) => !own.has(address)).map(extra),
    },
    ...setNames.map((name) => {
      const asked = new Set(sets[name].map(listedEntry))
      const chain = nameInFamily(name, family)
      const surplus = [...(found.sets.get(chain) ?? [])].filter((entry) => !asked.has(entry))
      return { table: 'ipset', chain, about: texts.sets[name], rules: surplus.map(extra) }
    }),
    ...found.servers
      .filter((server) => !wanted.has(serverName(server)))
      .map((server) => unusedServer(server, connections, language)),
  ]
  return all.filter(({ rules }) => rules.length > 0)
}
