import { baseChain, isServiceChain, sharedChains } from './chainNames.js'
import type { TableName } from './baseRules.js'
import { missingFrom, type Missing } from './missing.js'
import { restoreRule } from './restoreRule.js'
import type { Rule } from './rule.js'
import type { Ruleset } from './ruleset.js'

/** The part of the rules that a sync writes. */
export interface SyncOptions {
  /** `namespace/name` of the Services that changed; their chains are rewritten, all other service chains are kept. */
  readonly only?: ReadonlySet<string>
  /** Chains of removed Services and endpoints; see `staleChains`. */
  readonly staleChains?: readonly string[]
  /** What a full sync must create first; see `missingFrom`. */
  readonly missing?: Missing
}

/**
 * The text that produces the state after a full sync of kube-proxy in an empty namespace: its input to
 * `iptables-restore`, and before it what it does with single commands (canary chains, jump rules). For
 * `iptables-restore --noflush --counters`; loading it twice would duplicate the jump rules.
 */
export function renderFullRestore(ruleset: Ruleset): string {
  return renderSync(ruleset, { missing: missingFrom([], ruleset) })
}

/**
 * The text that kube-proxy itself feeds to `iptables-restore --noflush --counters`, for a full or a partial sync. With
 * `missing`, it includes what kube-proxy does by single commands before a full sync.
 */
export function renderSync(ruleset: Ruleset, options: SyncOptions = {}): string {
  const { missing } = options
  const canary = (table: TableName) =>
    missing?.canaries.includes(table) === true ? [declaration(baseChain.canary)] : []
  const jumps = (table: TableName) =>
    (missing?.jumps ?? []).filter((rule) => rule.table === table).map((rule) => restoreRule(rule, '-I'))
  const firewall =
    missing?.kubeletFirewall === true && ruleset.filter.firewall.length === 0
      ? [declaration(baseChain.kubeletFirewall)]
      : []
  return lines([
    ...(missing?.canaries.includes('mangle') === true ? ['*mangle', ...canary('mangle'), 'COMMIT'] : []),
    '*filter',
    ...canary('filter'),
    ...firewall,
    ...filterChains(ruleset),
    ...jumps('filter'),
    ...filterRules(ruleset),
    'COMMIT',
    '*nat',
    ...canary('nat'),
    ...natLines(ruleset, options, jumps('nat')),
    'COMMIT',
  ])
}

/** The chains of Services and endpoints in nat that the rules no longer use. */
export function staleChains(ruleset: Ruleset, existing: Iterable<string>): string[] {
  const active = new Set<string>()
  for (const { chains } of ruleset.servicePorts) for (const chain of chains) active.add(chain.name)
  return [...existing].filter((chain) => isServiceChain(chain) && !active.has(chain))
}

/** KUBE-FIREWALL is unchanged if kube-proxy has no rule for it. */
function filterChains({ filter, context }: Ruleset): string[] {
  return sharedChains(context.version)
    .filter.filter((chain) => chain !== baseChain.kubeletFirewall || filter.firewall.length > 0)
    .map(declaration)
}

function filterRules({ filter, servicePorts }: Ruleset): string[] {
  const result = filter.firewall.map(append)
  for (const { filter: rules } of servicePorts) for (const rule of rules) result.push(append(rule))
  for (const rule of filter.forward) result.push(append(rule))
  return result
}

/** Lines of chains, then of rules; the lines of a service port are one text, because a large cluster has many. */
function natLines(ruleset: Ruleset, options: SyncOptions, jumps: readonly string[]): string[] {
  // of kubelet: kube-proxy only makes sure that it exists
  const isOwn = (chain: string) => chain !== baseChain.markDrop || options.missing !== undefined
  const declarations: string[] = sharedChains(ruleset.context.version).nat.filter(isOwn).map(declaration)
  const rules = [...jumps, ...ruleset.nat.postrouting.map(append), ...ruleset.nat.markMasq.map(append)]
  for (const servicePort of ruleset.servicePorts) {
    const { port, nat } = servicePort
    const own = nat.map(append)
    if (!options.only || options.only.has(`${port.namespace}/${port.service}`)) {
      const { chains } = servicePort
      if (chains.length > 0) declarations.push(chains.map(({ name }) => declaration(name)).join('\n'))
      for (const { rules } of chains) for (const rule of rules) own.push(append(rule))
    }
    // Joined per service port, so that the parts of lines are short-lived.
    if (own.length > 0) rules.push(own.join('\n'))
  }
  for (const chain of options.staleChains ?? []) {
    declarations.push(declaration(chain))
    rules.push(`-X ${chain}`)
  }
  for (const rule of ruleset.nat.nodePorts) rules.push(append(rule))
  return [...declarations, ...rules]
}

/** With --noflush a chain line creates or empties the chain. */
function declaration(chain: string): string {
  return `:${chain} - [0:0]`
}

function append(rule: Rule): string {
  return restoreRule(rule, '-A')
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
