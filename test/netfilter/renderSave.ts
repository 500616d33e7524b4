import { ruleText, type SavedTable } from '../../src/netfilter/save.js'

/** Writes tables as iptables-save prints them, counters of rules only where they are known. */
export function renderSave(tables: readonly SavedTable[]): string {
  return tables.map(renderTable).join('')
}

function renderTable({ table, chains, rules }: SavedTable): string {
  const lines = [`*${table}`]
  for (const { name, policy, packets, bytes } of chains)
    lines.push(`:${name} ${policy} [${packets}:${bytes}]`)
  for (const rule of rules) {
    const counters = rule.packets === undefined ? '' : `[${rule.packets}:${rule.bytes ?? 0}] `
    lines.push(`${counters}${ruleText(rule)}`)
  }
  return `${lines.join('\n')}\nCOMMIT\n`
}
