import { ruleText, type SavedTable } from './save.js'

/** Writes tables as iptables-save prints them, counters of rules only where they are known. */
export function renderSave(tables: readonly SavedTable[], { counters = true } = {}): string {
  return tables.map((table) => renderTable(table, counters)).join('')
}

function renderTable({ table, chains, rules }: SavedTable, hasCounters: boolean): string {
  const lines = [`*${table}`]
  for (const { name, policy, packets, bytes } of chains)
    lines.push(`:${name} ${policy} [${packets}:${bytes}]`)
  for (const rule of rules) {
    const counters = rule.packets === undefined || !hasCounters ? '' : `[${rule.packets}:${rule.bytes ?? 0}] `
    lines.push(`${counters}${ruleText(rule)}`)
  }
  return `${lines.join('\n')}\nCOMMIT\n`
}
