import type { SavedTable } from '../../../netfilter/save.js'
import type { JumpRule, TableName } from './baseRules.js'
import { has } from '../versions/features.js'
import { baseChain } from './chainNames.js'
import type { Ruleset } from './ruleset.js'
import { savedSpec } from './savedRule.js'

const tables: readonly TableName[] = ['mangle', 'nat', 'filter']

/** What a full sync finds missing and creates before its rules. */
export interface Missing {
  /** Tables without a canary chain. */
  readonly canaries: readonly TableName[]
  /** In the order in which they are inserted. */
  readonly jumps: readonly JumpRule[]
  /** The jump to KUBE-FIREWALL exists even if kube-proxy has no rule in it. */
  readonly kubeletFirewall: boolean
}

/** Compares the kernel's state with what a full sync creates rule by rule (ensure chain, check rule, insert). */
export function missingFrom(saved: readonly SavedTable[], { jumps, family, context }: Ruleset): Missing {
  const find = (name: TableName) => saved.find(({ table }) => table === name)
  const hasChain = (table: TableName, chain: string) =>
    find(table)?.chains.some(({ name }) => name === chain) ?? false
  const hasRule = (jump: JumpRule) => {
    const spec = savedSpec(jump, family)
    return find(jump.table)?.rules.some((rule) => rule.chain === jump.chain && rule.spec === spec) ?? false
  }
  return {
    canaries: tables.filter((table) => !hasChain(table, baseChain.canary)),
    jumps: jumps.filter((jump) => !hasRule(jump)),
    kubeletFirewall:
      has(context.version, 'localnetFirewall') && !hasChain('filter', baseChain.kubeletFirewall),
  }
}
