import type { IpFamily } from '../../net/ipFamily.js'
import type { SavedRule, SavedTable } from '../../netfilter/save.js'
import { baseChain } from './chainNames.js'
import { savedSpec } from './savedRule.js'
import type { TableName } from './baseRules.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'
import { tableRules } from './tableRules.js'

const builtInChains: Readonly<Record<TableName, readonly string[]>> = {
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

const ownChains: Readonly<Record<TableName, readonly string[]>> = {
  mangle: [baseChain.canary],
  nat: [baseChain.canary, baseChain.services, baseChain.nodePorts, baseChain.postrouting, baseChain.markMasq],
  filter: [
    baseChain.canary,
    baseChain.services,
    baseChain.externalServices,
    baseChain.forward,
    baseChain.nodePorts,
    baseChain.proxyFirewall,
    baseChain.kubeletFirewall,
  ],
}

/** What iptables-save would print after the ruleset was loaded into an empty namespace: tables mangle, nat and filter. */
export function toSaved(ruleset: Ruleset): SavedTable[] {
  return [
    table('mangle', [], ruleset),
    table('nat', serviceChains(ruleset), ruleset),
    table('filter', [], ruleset),
  ]
}

function serviceChains({ servicePorts }: Ruleset): readonly string[] {
  return servicePorts.flatMap(({ chains }) => chains.map((chain) => chain.name))
}

function table(name: TableName, chains: readonly string[], ruleset: Ruleset): SavedTable {
  const byChain = new Map<string, SavedRule[]>()
  const builtIn = builtInChains[name]
  const userChains = [...new Set([...ownChains[name], ...chains])].sort()
  for (const chain of [...builtIn, ...userChains]) byChain.set(chain, [])
  for (const jump of ruleset.jumps) {
    if (jump.table === name) byChain.get(jump.chain)?.unshift(saved(jump, ruleset.family))
  }
  for (const rule of tableRules(ruleset, name)) byChain.get(rule.chain)?.push(saved(rule, ruleset.family))
  return {
    table: name,
    chains: [
      ...builtIn.map((chain) => ({ name: chain, policy: 'ACCEPT', packets: 0, bytes: 0 })),
      ...userChains.map((chain) => ({ name: chain, policy: '-', packets: 0, bytes: 0 })),
    ],
    rules: [...byChain.values()].flat(),
  }
}

function saved(rule: Rule, family: IpFamily): SavedRule {
  return { chain: rule.chain, spec: savedSpec(rule, family) }
}
