import { canonicalTables } from '../../src/netfilter/compare.js'
import { ruleText, type SavedTable } from '../../src/netfilter/save.js'

/** The canonical form as lines, a table after the other. */
export function canonicalLines(tables: readonly SavedTable[]): string[] {
  return canonicalTables(tables).flatMap(({ table, chains, rules }) => [
    `*${table}`,
    ...chains.map(({ name, policy }) => `:${name} ${policy} [0:0]`),
    ...rules.map(ruleText),
    'COMMIT',
  ])
}
