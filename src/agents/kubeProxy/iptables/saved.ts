import type { IpFamily } from '../../../net/ipFamily.js'
import type { SavedTable } from '../../../netfilter/save.js'
import type { TableName } from './baseRules.js'
import { baseChain, sharedChains } from './chainNames.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'
import { savedSpec } from './savedRule.js'
import { tableRules } from './tableRules.js'

const builtInChains: Readonly<Record<TableName, readonly string[]>> = {
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

/** Expected iptables-save output after loading the ruleset into an empty namespace: mangle, nat and filter. */
export function toSaved(ruleset: Ruleset): SavedTable[] {
  const { canary } = baseChain
  const shared = sharedChains(ruleset.context.version)
  const ofServices = ruleset.servicePorts.flatMap(({ chains }) => chains.map(({ name }) => name))
  const chains = {
    mangle: [canary],
    nat: [canary, ...shared.nat, ...ofServices],
    filter: [canary, ...shared.filter],
  }
  return (['mangle', 'nat', 'filter'] as const).map((table) =>
    savedTable(table, chains[table], tableRules(ruleset, table), ruleset),
  )
}

/** A table as iptables-save prints it: its own chains by name; the last inserted jump comes first. */
export function savedTable(
  table: TableName,
  chains: readonly string[],
  rules: readonly Rule<string>[],
  { jumps, family }: { jumps: readonly (Rule<string> & { readonly table: TableName })[]; family: IpFamily },
): SavedTable {
  const builtIn = builtInChains[table]
  const own = [...new Set(chains)].sort()
  const inserted = jumps.filter((jump) => jump.table === table).reverse()
  const byChain = new Map<string, Rule<string>[]>([...builtIn, ...own].map((chain) => [chain, []]))
  for (const rule of [...inserted, ...rules]) byChain.get(rule.chain)?.push(rule)
  const declared = (policy: string) => (name: string) => ({ name, policy, packets: 0, bytes: 0 })
  return {
    table,
    chains: [...builtIn.map(declared('ACCEPT')), ...own.map(declared('-'))],
    rules: [...byChain.values()].flat().map((rule) => ({ chain: rule.chain, spec: savedSpec(rule, family) })),
  }
}
