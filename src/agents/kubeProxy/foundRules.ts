import type { Difference } from '../../netfilter/difference.js'
import type { NftListing } from '../../netfilter/nftList.js'
import type { SavedTable } from '../../netfilter/save.js'
import { ruleText } from '../../netfilter/save.js'
import type { ExplainedChain, ExplainedRule, ExplainedRuleset } from './iptables/explained/types.js'
import type { Connections } from './ipvs/explained/explainedServer.js'
import type { FoundIpvs } from './ipvs/found.js'
import type { PortalOrders } from './userspace/orders.js'

/** What was found on a node in one family. What a mode does not use can be absent. */
export interface FoundRules {
  /** The tables of iptables. */
  readonly tables: readonly SavedTable[]
  /** The table of mode nftables; absent if the node has none. */
  readonly listing?: NftListing | undefined
  /** The table of policies in nftables; absent if the node has none. */
  readonly policies?: NftListing | undefined
  /** What mode ipvs has besides rules. */
  readonly ipvs?: Omit<FoundIpvs, 'tables'> | undefined
  /** Of virtual servers so far. */
  readonly connections?: Connections | undefined
  /** The ports of the process of mode userspace. */
  readonly served?: readonly PortalOrders[] | undefined
}

/** The rules of an explained ruleset that are not as kube-proxy writes them; those of other programs are no differences. */
export function differencesOf({ first, services, last, others }: ExplainedRuleset): Difference[] {
  return [
    ...[...first, ...last, ...others].flatMap((chain) => differencesIn(chain)),
    ...services.flatMap(({ ports }) =>
      ports.flatMap(({ name, chains }) => chains.flatMap((chain) => differencesIn(chain, name))),
    ),
  ]
}

function differencesIn({ table, chain, rules }: ExplainedChain, servicePort?: string): Difference[] {
  const about = { table, chain, ...(servicePort !== undefined && { servicePort }) }
  // an iptables rule has its chain in its text
  const text = (spec: string) => (isIptables(table) ? ruleText({ chain, spec }) : spec)
  return rules.flatMap(({ state, spec, expected = '' }: ExplainedRule): Difference[] => {
    if (state === 'missing') return [{ kind: 'missingRule', ...about, expected: text(spec) }]
    if (state === 'extra') return [{ kind: 'extraRule', ...about, actual: text(spec) }]
    if (state === 'different')
      return [{ kind: 'differentRule', ...about, expected: text(expected), actual: text(spec) }]
    return []
  })
}

function isIptables(table: string): boolean {
  return ['raw', 'mangle', 'nat', 'filter', 'security'].includes(table)
}
