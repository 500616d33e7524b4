import { ruleText, type SavedTable } from './save.js'
import type { RuleCount } from './types.js'

/** The packets that each rule has matched, in the order of the text; 0 if the text has no counters. */
export function ruleCounts(save: readonly SavedTable[]): RuleCount[] {
  return save.flatMap(({ table, rules }) =>
    rules.map((rule) => ({ table, chain: rule.chain, rule: ruleText(rule), packets: rule.packets ?? 0 })),
  )
}

/**
 * The packets that each rule matched between two readings. Identical rules of one chain are matched by position; a rule
 * that is new, or was recreated in between (its counter is lower than before), starts from 0.
 */
export function countsBetween(before: readonly RuleCount[], after: readonly RuleCount[]): RuleCount[] {
  const earlier = new Map<string, number[]>()
  for (const count of before) {
    const key = countKey(count)
    const packets = earlier.get(key)
    if (packets) packets.push(count.packets)
    else earlier.set(key, [count.packets])
  }
  return after.map((count) => {
    const base = earlier.get(countKey(count))?.shift() ?? 0
    return { ...count, packets: base > count.packets ? count.packets : count.packets - base }
  })
}

function countKey({ table, rule }: RuleCount): string {
  return `${table} ${rule}`
}
