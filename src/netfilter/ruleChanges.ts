import { canonicalTables } from './compare.js'
import { ruleText, type SavedTable } from './save.js'

/** A chain, or a rule of it, that is in one ruleset and not in the other. */
export interface Changed {
  readonly table: string
  readonly chain: string
  /** The rule as iptables-save prints it; absent for the chain itself. */
  readonly rule?: string | undefined
}

/** Chains and rules added or removed between two saved rulesets of a node; ignores counters and the order of Services. */
export interface RuleChanges {
  readonly added: readonly Changed[]
  readonly removed: readonly Changed[]
  /** True if nothing was added, removed or moved. */
  readonly same: boolean
}

/** Compares the rules before a change with those after it. */
export function ruleChanges(before: readonly SavedTable[], after: readonly SavedTable[]): RuleChanges {
  const [was, is] = [before, after].map((tables) => canonicalTables(tables).flatMap(entriesOf))
  return {
    added: missing(is ?? [], was ?? []),
    removed: missing(was ?? [], is ?? []),
    same: JSON.stringify(was) === JSON.stringify(is),
  }
}

function entriesOf({ table, chains, rules }: SavedTable): Changed[] {
  return [
    ...chains.map(({ name }) => ({ table, chain: name })),
    ...rules.map((rule) => ({ table, chain: rule.chain, rule: ruleText(rule) })),
  ]
}

/** A chain may contain the same rule twice: each is matched separately. */
function missing(some: readonly Changed[], others: readonly Changed[]): Changed[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(ruleKey(other), (left.get(ruleKey(other)) ?? 0) + 1)
  return some.filter((one) => {
    const count = left.get(ruleKey(one)) ?? 0
    left.set(ruleKey(one), count - 1)
    return count <= 0
  })
}

function ruleKey({ table, chain, rule }: Changed): string {
  return `${table}\n${chain}\n${rule ?? ''}`
}
