import { isDeepStrictEqual } from 'node:util'
import { sharedChains } from './chainNames.js'
import { restoreRule } from './restoreRule.js'
import type { SyncOptions } from './restore.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'
import type { ServicePortRules } from './serviceRules.js'

/**
 * A partial sync that does not write unchanged shared chains. kube-proxy rewrites them
 * each time, which is most of its output in a large cluster; the resulting rules are the same. Both
 * rulesets must share their context.
 */
export function renderChangedChains(
  before: Ruleset,
  after: Ruleset,
  { only = new Set(), staleChains = [] }: SyncOptions,
): string {
  const changed = { before: portsOf(before, only), after: portsOf(after, only) }
  const differs = (table: 'filter' | 'nat') => (chain: string) =>
    !isDeepStrictEqual(
      linesOf(before, table, chain, changed.before),
      linesOf(after, table, chain, changed.after),
    )
  const shared = sharedChains(after.context.version)
  const filter = shared.filter.filter(differs('filter'))
  const nat = shared.nat.filter(differs('nat'))
  const own = changed.after.flatMap(({ chains }) => chains)
  return [
    ...table('filter', filter.map(declaration), wholeChains(after, 'filter', filter)),
    ...table('nat', [...nat, ...own.map(({ name }) => name), ...staleChains].map(declaration), [
      ...wholeChains(after, 'nat', nat),
      ...own.flatMap(({ rules }) => rules.map(append)),
      ...staleChains.map((chain) => `-X ${chain}`),
    ]),
  ].join('')
}

function wholeChains(ruleset: Ruleset, table: 'filter' | 'nat', chains: readonly string[]): string[] {
  return chains.flatMap((chain) => linesOf(ruleset, table, chain, ruleset.servicePorts))
}

/** The rules of a shared chain that belong to some service ports, and those that belong to none. */
function linesOf(
  ruleset: Ruleset,
  table: 'filter' | 'nat',
  chain: string,
  ports: readonly ServicePortRules[],
): string[] {
  const { filter, nat } = ruleset
  const first = table === 'filter' ? filter.firewall : [...nat.postrouting, ...nat.markMasq]
  const last = table === 'filter' ? filter.forward : nat.nodePorts
  const inChain = (rules: readonly Rule[]) => rules.filter((rule) => rule.chain === chain).map(append)
  return [...inChain(first), ...ports.flatMap((port) => inChain(port[table])), ...inChain(last)]
}

function portsOf(ruleset: Ruleset, services: ReadonlySet<string>): ServicePortRules[] {
  return ruleset.servicePorts.filter(({ service }) => services.has(service))
}

function table(name: string, chains: readonly string[], rules: readonly string[]): string[] {
  return chains.length === 0 ? [] : [[`*${name}`, ...chains, ...rules, 'COMMIT', ''].join('\n')]
}

function declaration(chain: string): string {
  return `:${chain} - [0:0]`
}

function append(rule: Rule): string {
  return restoreRule(rule, '-A')
}
