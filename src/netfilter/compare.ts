import { matchOf, type Rule } from './rules/model.js'
import { parseRule } from './rules/parse.js'
import type { SavedRule, SavedTable } from './save.js'

/** Chains in which kube-proxy dispatches to Services, in random order. */
const dispatchChains: Readonly<Record<string, readonly string[]>> = {
  nat: ['KUBE-SERVICES', 'KUBE-NODEPORTS'],
  filter: ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-PROXY-FIREWALL'],
}

const lastRule = 'kubernetes service nodeports; NOTE: this must be the last rule in this chain'

/** True for the chains in which the order of Services means nothing. */
export function isDispatchChain(table: string, chain: string): boolean {
  return dispatchChains[table]?.includes(chain) ?? false
}

/** The service port that a rule of a dispatch chain belongs to: its name and protocol, with a space between. */
export function servicePortOf(rule: Rule): string | undefined {
  const comment = matchOf(rule, 'comment')?.comment ?? ''
  const name = comment.split(' ', 1)[0] ?? ''
  if (!name.includes('/') || comment === lastRule) return undefined
  return `${name} ${rule.protocol?.value ?? ''}`
}

/**
 * The form in which two saved rulesets are compared: tables by name, comments and counters dropped, rules grouped by
 * chain, and in the chains that dispatch to Services the blocks of service ports sorted by name, the order inside a
 * block kept, the jump to node ports last.
 */
export function canonicalTables(tables: readonly SavedTable[]): SavedTable[] {
  return [...tables].sort((a, b) => (a.table < b.table ? -1 : 1)).map(canonicalTable)
}

function canonicalTable({ table, chains, rules }: SavedTable): SavedTable {
  const byChain = new Map<string, SavedRule[]>(chains.map(({ name }) => [name, []]))
  for (const { chain, spec } of rules) byChain.get(chain)?.push({ chain, spec })
  return {
    table,
    chains: chains.map(({ name, policy }) => ({ name, policy, packets: 0, bytes: 0 })),
    rules: [...byChain].flatMap(([chain, own]) => (isDispatchChain(table, chain) ? sortBlocks(own) : own)),
  }
}

function sortBlocks(rules: readonly SavedRule[]): SavedRule[] {
  return rules
    .map((rule) => ({ rule, key: blockKey(rule.spec) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ rule }) => rule)
}

/** Rules of no service port come last: the jumps to node ports, of which kube-proxy writes several in any order. */
function blockKey(spec: string): string {
  return servicePortOf(parseRule(spec)) ?? `~${spec}`
}
