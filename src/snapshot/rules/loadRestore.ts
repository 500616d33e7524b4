import type { RuleMeaning } from '../../agents/meaning.js'
import type { SavedTable } from '../../netfilter/save.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { programOfRule } from '../programs.js'
import type { RuleTables, TracedRule } from '../model/state.js'

const builtIn: Readonly<Record<string, readonly string[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

/** The hooks of a table: the names of its built-in chains. */
export function builtInChains(table: string): readonly string[] {
  return builtIn[table === 'security' ? 'filter' : table] ?? []
}

/**
 * The tables after `iptables-restore --noflush` has read this text into an empty namespace; what lines mean, by table and line:
 * `nat -A KUBE-SERVICES …`.
 */
export function loadRestore(text: string, known: ReadonlyMap<string, RuleMeaning> = new Map()): RuleTables {
  const tables = emptyTables()
  let table = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) {
      table = line.slice(1)
      if (table === 'security' && !tables.has(table)) tables.set(table, emptyChains(table))
    }
    const chains = tables.get(table)
    const chain = /^:(\S+) (\S+)/.exec(line)
    if (chain) declare(chains, chain[1] ?? '', chain[2] ?? '-')
    const [, command = '', name = '', spec = ''] = /^(?:\[\d+:\d+\] )?(-[AIXD]) (\S+) ?(.*)$/.exec(line) ?? []
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
export function loadSave(saved: readonly SavedTable[], file?: string, firstLine = 1): RuleTables {
  const printed = [...loadTables(saved, file, firstLine)].map(
    ([table, chains]) => [table, new Map([...emptyChains(table), ...chains])] as const,
  )
  return new Map([...emptyTables(), ...printed])
}

/**
 * Only the tables that were printed, with where their rules are. A chain that is not declared has rules only: the policy of a
 * built-in one is not known.
 */
export function loadTables(saved: readonly SavedTable[], file?: string, firstLine = 1): RuleTables {
  const tables = new Map<string, Map<string, LoadedChain>>()
  for (const { table, chains, rules } of saved) {
    const own = tables.get(table) ?? new Map<string, LoadedChain>()
    tables.set(table, own)
    for (const { name, policy } of chains) declare(own, name, policy)
    for (const { chain, spec, line } of rules) {
      const { rules: loaded } = own.get(chain) ?? { rules: [] }
      if (!own.has(chain)) own.set(chain, { rules: loaded })
      const at = file === undefined || line === undefined ? undefined : { file, line: firstLine + line - 1 }
      loaded.push({ ...readRule(chain, spec), ...(at && { at }) })
    }
  }
  return tables
}

function emptyTables(): Map<string, Map<string, LoadedChain>> {
  return new Map(Object.keys(builtIn).map((table) => [table, emptyChains(table)]))
}

function emptyChains(table: string): Map<string, LoadedChain> {
  return new Map(builtInChains(table).map(emptyChain))
}

function emptyChain(name: string): [string, LoadedChain] {
  return [name, { policy: 'ACCEPT', rules: [] }]
}

/** A rule that was read; its owner is the program that usually has such chains. */
export function readRule(chain: string, spec: string): TracedRule {
  const rule = parseRule(spec)
  return { rule, spec, owner: programOfRule(chain, rule) }
}

interface LoadedChain {
  readonly policy?: string
  readonly rules: TracedRule[]
}

function declare(chains: Map<string, LoadedChain> | undefined, name: string, policy: string): void {
  chains?.set(name, policy === '-' ? { rules: [] } : { policy, rules: chains.get(name)?.rules ?? [] })
}

function tracedRule(spec: string, known: RuleMeaning = { spec }): TracedRule {
  return { rule: parseRule(known.spec), ...known }
}
