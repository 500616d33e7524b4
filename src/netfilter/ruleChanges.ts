import { canonicalTables } from './compare.js'
import { ruleText, type SavedTable } from './save.js'

/** A chain, or a rule of it, that is in one ruleset and not in the other. */
export interface Changed {
  readonly table: string
  readonly chain: string
  /** The rule as iptables-save prints it; absent for the chain itself. */
  readonly rule?: string | undefined
}

/** What came and what went between two saved rulesets of one node; counters do not count, nor does the order of Services. */
export interface RuleChanges {
  readonly added: readonly Changed[]
  readonly removed: readonly Changed[]
  /** True when nothing came or went, and no rule changed its place. */
  readonly same: boolean
}

/** Compares the rules before something with those after it. */
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

/** The same rule may stand twice in a chain: each is looked for by itself. */
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
