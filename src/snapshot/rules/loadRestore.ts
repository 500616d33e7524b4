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

const hooksOfSecurity = ['INPUT', 'FORWARD', 'OUTPUT']

/** The tables after `iptables-restore --noflush` has read this text into an empty namespace. */
export function loadRestore(text: string, known: KnownLines = new Map()): RuleTables {
  const tables = new Map(
    Object.entries(builtIn).map(([table, names]) => [table, new Map(names.map(emptyChain))]),
  )
  let table = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) table = line.slice(1)
    if (line === '*security') tables.set(table, new Map(hooksOfSecurity.map(emptyChain)))
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
