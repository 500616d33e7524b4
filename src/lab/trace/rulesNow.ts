import { saveProgram } from '../../host/readings.js'
import { readTogether, type Reading } from '../../host/sandbox/readTogether.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import type { RuleTables, TracedRule } from '../../trace/model/state.js'
import { loadRestore } from '../../trace/rules/loadRestore.js'

type FamilyTables = Readonly<Partial<Record<IpFamily, RuleTables>>>

/** The rules of iptables; why they exist comes from the plan, where it has the same rule. */
export function rulesNow(families: readonly IpFamily[], planned: FamilyTables): Reading<FamilyTables> {
  return {
    commands: families.map((family) => [saveProgram(family)]),
    parse: (outputs) =>
      Object.fromEntries(
        families.map((family, index) => {
          const text = outputs[index] ?? ''
          const tables = text.includes('*') ? loadRestore(text) : new Map<string, never>()
          return [family, withMeaning(tables, planned[family])]
        }),
      ),
  }
}

/**
 * Marks the rules that look for a sender in a list of the match recent that has addresses: whether it holds that of a request is not
 * known before. Throws CommandError.
 */
export async function withUsedLists(
  sandbox: Pick<Sandbox, 'run'>,
  netns: string,
  families: FamilyTables,
): Promise<FamilyTables> {
  const looksUp = ({ rule }: TracedRule) => rule.matches.some(({ kind }) => kind === 'recent')
  const all = Object.values(families).flatMap((tables) => [...tables.values()])
  if (!all.some((chains) => [...chains.values()].some(({ rules }) => rules.some(looksUp)))) return families
  const [lists] = await readTogether(sandbox, 'reading the lists of the match recent', { netns }, [usedLists])
  const marked = (tables: RuleTables) => eachRule(tables, (_table, _chain, rule) => undecided(rule, lists))
  return Object.fromEntries(Object.entries(families).map(([family, tables]) => [family, marked(tables)]))
}

const usedLists: Reading<ReadonlySet<string>> = {
  commands: [['sh', '-c', 'grep -ls src= /proc/net/xt_recent/* || true']],
  parse: ([text = '']) => new Set(text.split('\n').flatMap((file) => file.split('/').at(-1) ?? [])),
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
function withMeaning(tables: RuleTables, planned: RuleTables = new Map()): RuleTables {
  const known = new Map<string, TracedRule>()
  const key = (table: string, chain: string, { rule }: TracedRule) =>
    `${table} ${chain} ${canonicalRule(rule)}`
  eachRule(planned, (table, chain, rule) => {
    known.set(key(table, chain, rule), rule)
    return rule
  })
  return eachRule(
    tables,
    (table, chain, rule) => known.get(key(table, chain, rule)) ?? { ...rule, planned: undefined },
  )
}

function eachRule(
  tables: RuleTables,
  change: (table: string, chain: string, rule: TracedRule) => TracedRule,
): RuleTables {
  return new Map(
    [...tables].map(([table, chains]) => [
      table,
      new Map(
        [...chains].map(([name, chain]) => [
          name,
          { ...chain, rules: chain.rules.map((rule) => change(table, name, rule)) },
        ]),
      ),
    ]),
  )
}
