import type { TableName } from './baseRules.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'
import { tableRules } from './tableRules.js'

/** A rule with its table. */
export interface TableRule {
  readonly table: TableName
  readonly rule: Rule
  /** How kube-proxy adds it: jumps from built-in chains are inserted at the top. */
  readonly command: '-A' | '-I'
}

/** Every rule that kube-proxy writes, in the order of each chain. */
export function writtenRules(ruleset: Ruleset): readonly TableRule[] {
  const jumps = ruleset.jumps
    .toReversed()
    .map((rule) => ({ table: rule.table, rule, command: '-I' }) as const)
  const tables = (['nat', 'filter'] as const).flatMap((table) =>
    tableRules(ruleset, table).map((rule) => ({ table, rule, command: '-A' }) as const),
  )
  return [...jumps, ...tables]
}
