import type { SavedTable } from '../../netfilter/save.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import type { RuleTables, TracedRule } from '../model/state.js'

/** What is known about a line of iptables-restore, by table and line: `nat -A KUBE-SERVICES …`. */
export type KnownLines = ReadonlyMap<string, Omit<TracedRule, 'rule'>>

const builtIn: Readonly<Record<string, readonly string[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

/** The tables after `iptables-restore --noflush` has read this text into an empty namespace. */
export function loadRestore(text: string, known: KnownLines = new Map()): RuleTables {
  const tables = emptyTables()
  let table = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) table = line.slice(1)
    const chains = tables.get(table)
    const chain = /^:(\S+) (\S+)/.exec(line)
    if (chain) declare(chains, chain[1] ?? '', chain[2] ?? '-')
    const [, command = '', name = '', spec = ''] = /^(-[AIXD]) (\S+) ?(.*)$/.exec(line) ?? []
    const rules = chains?.get(name)?.rules
    if (command === '-X') chains?.delete(name)
    if (rules === undefined) continue
    if (command === '-A') rules.push(tracedRule(spec, known.get(`${table} ${line}`)))
    if (command === '-I') rules.unshift(tracedRule(spec, known.get(`${table} ${line}`)))
    if (command === '-D') {
      const at = rules.findIndex((rule) => rule.spec === spec)
      if (at >= 0) rules.splice(at, 1)
    }
  }
  return tables
}

/** The tables that iptables-save has printed; those that every namespace with rules has are there though they are empty. */
export function loadSave(saved: readonly SavedTable[]): RuleTables {
  const tables = emptyTables()
  for (const { table, chains, rules } of saved) {
    const own = tables.get(table) ?? new Map<string, LoadedChain>()
    tables.set(table, own)
    for (const { name, policy } of chains) declare(own, name, policy)
    for (const { chain, spec } of rules) own.get(chain)?.rules.push({ rule: parseRule(spec), spec })
  }
  return tables
}

function emptyTables(): Map<string, Map<string, LoadedChain>> {
  return new Map(Object.entries(builtIn).map(([table, names]) => [table, new Map(names.map(emptyChain))]))
}

function emptyChain(name: string): [string, LoadedChain] {
  return [name, { policy: 'ACCEPT', rules: [] }]
}

interface LoadedChain {
  readonly policy?: string
  readonly rules: TracedRule[]
}

function declare(chains: Map<string, LoadedChain> | undefined, name: string, policy: string): void {
  chains?.set(name, policy === '-' ? { rules: [] } : { policy, rules: chains.get(name)?.rules ?? [] })
}

function tracedRule(written: string, known: Omit<TracedRule, 'rule'> | undefined): TracedRule {
  const { spec, why, servicePort } = known ?? { spec: written }
  return { rule: parseRule(spec), spec, why, servicePort, planned: true }
}
