import { groupedByPolicy, policyAbout } from './policyAbout.js'
import type { IpFamily } from '../../../../net/ipFamily.js'
import {
  chainOwners,
  isBuiltIn,
  isKubeProxyChain,
  isServicePortChain,
  servicePortName,
} from '../../../../netfilter/chainOwners.js'
import { namesInRule } from '../../../../netfilter/policyComments.js'
import { targetName } from '../../../../netfilter/rules/model.js'
import { parseRule } from '../../../../netfilter/rules/parse.js'
import { renderRule } from '../../../../netfilter/rules/render.js'
import { printNatRange } from '../../../../netfilter/rules/targets/nat.js'
import { typedTable, type TypedRule } from '../../../../netfilter/rules/typedTable.js'
import type { SavedTable } from '../../../../netfilter/save.js'
import type { Language } from '../../../../text/language.js'
import type { ServicePort } from '../../servicePort.js'
import { baseChain } from '../chainNames.js'
import { explainRule } from '../explain.js'
import type { Rule } from '../rule.js'
import type { Ruleset } from '../ruleset.js'
import { savedRule } from '../savedRule.js'
import { writtenRules } from '../writtenRules.js'
import { chainAbout, chainRank, comesFirst } from './chainAbout.js'
import { matchChain, type WrittenRule } from './matchChain.js'
import type {
  ExplainedChain,
  ExplainedPort,
  ExplainedRule,
  ExplainedRuleset,
  ExplainedService,
} from './types.js'

/** Rules of one chain for one service port, or for none: as written, and as in the kernel. */
interface Part {
  readonly table: string
  readonly chain: string
  /** Name of the service port; empty for shared rules. */
  readonly portName: string
  readonly written: WrittenRule[]
  readonly existing: TypedRule[]
}

/** Explains the rules of iptables mode on a node; see `explainWritten`. */
export function explainRuleset(
  ruleset: Ruleset,
  saved: readonly SavedTable[],
  language: Language,
): ExplainedRuleset {
  const written = writtenRules(ruleset).map(({ table, rule }) => ({
    ...{ table, rule },
    why: explainRule(rule, language),
  }))
  const ports = ruleset.servicePorts.map(({ port }) => port)
  return explainWritten({ family: ruleset.family, ports, written }, saved, language)
}

/** What kube-proxy writes on a node for one family. */
export interface Written {
  readonly family: IpFamily
  readonly ports: readonly ServicePort[]
  readonly written: readonly { readonly table: string; readonly rule: Rule<string>; readonly why: string }[]
}

/**
 * Compares a node's tables with what kube-proxy writes, by Service and in the order in which a packet
 * passes the rules. Reports rules of other programs, and rules that differ or are missing.
 */
export function explainWritten(
  { family, ports, written }: Written,
  saved: readonly SavedTable[],
  language: Language,
): ExplainedRuleset {
  const parts = new Map<string, Part>()
  const partOf = (table: string, chain: string, portName: string): Part => {
    const key = `${table} ${chain} ${portName}`
    let part = parts.get(key)
    if (!part) parts.set(key, (part = { table, chain, portName, written: [], existing: [] }))
    return part
  }
  const tables = saved.map(typedTable)
  const owners = new Map(chainOwners(tables))
  for (const { table, rule, why } of written) {
    const portName = rule.port?.name ?? ''
    const typed = savedRule(rule, family)
    const saved = { chain: rule.chain, spec: renderRule(typed), rule: typed }
    partOf(table, rule.chain, portName).written.push({ why, saved })
    if (isServicePortChain(rule.chain)) owners.set(rule.chain, portName)
  }
  for (const { table, rules } of tables) {
    for (const rule of rules) partOf(table, rule.chain, portNameOf(rule, owners)).existing.push(rule)
  }
  const policies = new Map(
    saved.flatMap(({ table, chains }) => chains.map(({ name, policy }) => [`${table} ${name}`, policy])),
  )
  const arranged = arrange(family, ports, [...parts.values()], language)
  const noted = (chain: ExplainedChain) => withPolicy(chain, policies.get(`${chain.table} ${chain.chain}`))
  return { ...arranged, first: arranged.first.map(noted), last: arranged.last.map(noted) }
}

/** A policy that lets no packet pass belongs to what the chain does. */
function withPolicy(chain: ExplainedChain, policy: string | undefined): ExplainedChain {
  return policy === 'DROP' ? { ...chain, about: `${chain.about}; policy DROP` } : chain
}

function portNameOf({ chain, rule }: TypedRule, owners: ReadonlyMap<string, string>): string {
  if (isServicePortChain(chain)) return owners.get(chain) ?? ''
  return isKubeProxyChain(chain) ? (servicePortName(rule) ?? '') : ''
}

function arrange(
  family: IpFamily,
  ports: readonly ServicePort[],
  parts: readonly Part[],
  language: Language,
): ExplainedRuleset {
  const shared = parts.filter(({ portName }) => portName === '')
  const fixed = shared.filter(({ chain }) => !isServicePortChain(chain))
  const ofAll = inOrder(fixed.map((part) => ofKubeProxy(part, language)))
  return {
    family,
    first: ofAll.filter(({ table, chain }) => comesFirst(table, chain)),
    services: services(parts, ports, language),
    last: ofAll.filter(({ table, chain }) => !comesFirst(table, chain)),
    others: groupedByPolicy(
      shared.map((part) => ofOthers(part, language)).filter(({ rules }) => rules.length > 0),
    ),
  }
}

/** What a packet meets in any case: kube-proxy's chains, those of the kernel, and in others only the jumps to kube-proxy's. */
function ofKubeProxy(part: Part, language: Language): ExplainedChain {
  const { chain, existing } = part
  const isWhole = isKubeProxyChain(chain) || isBuiltIn(chain)
  return explained(part, isWhole ? existing : existing.filter(concernsKubeProxy), language)
}

/** The rest: other programs' chains, and service chains without a Service. */
function ofOthers(part: Part, language: Language): ExplainedChain {
  const { chain, existing } = part
  if (isServicePortChain(chain)) return explained(part, existing, language)
  const others = isKubeProxyChain(chain) || isBuiltIn(chain) ? [] : existing.filter(isOthers)
  const about = policyAbout(
    others.map(({ rule }) => namesInRule(rule)),
    language,
  )
  return { ...explained({ ...part, written: [] }, others, language), ...(about !== '' && { about }) }
}

/** Whether a rule is another program's. */
function isOthers(rule: TypedRule): boolean {
  return !isKubeProxyChain(rule.chain) && !concernsKubeProxy(rule)
}

function concernsKubeProxy({ chain, rule }: TypedRule): boolean {
  const target = targetName(rule) ?? ''
  return (
    isKubeProxyChain(target) || target === baseChain.kubeletFirewall || chain === baseChain.kubeletFirewall
  )
}

function explained(part: Part, existing: readonly TypedRule[], language: Language): ExplainedChain {
  const { table, chain, written } = part
  const rules = matchChain(written, existing, isServicePortChain(chain), language, isOthers)
  const endpoint = chain.startsWith('KUBE-SEP-') ? endpointOf(rules) : {}
  return { table, chain, about: chainAbout(table, chain, language), ...endpoint, rules }
}

function endpointOf(rules: readonly ExplainedRule[]): { readonly endpoint?: string } {
  for (const { spec } of rules) {
    const { target } = parseRule(spec)
    if (target?.kind === 'DNAT') return { endpoint: printNatRange(target.toDestination) }
  }
  return {}
}

function services(
  parts: readonly Part[],
  ports: readonly ServicePort[],
  language: Language,
): readonly ExplainedService[] {
  const byPort = new Map<string, ExplainedChain[]>()
  for (const part of parts) {
    if (part.portName === '') continue
    const chains = byPort.get(part.portName)
    const chain = explained(part, part.existing, language)
    if (chains) chains.push(chain)
    else byPort.set(part.portName, [chain])
  }
  const known = new Map(ports.map((port) => [port.name, port]))
  const found = new Map<string, ExplainedPort[]>()
  for (const [name, chains] of [...byPort].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const port = known.get(name)
    const service = name.split(':', 1)[0] ?? ''
    const one = { name, ...(port ? { port: `${port.port}/${port.protocol}` } : {}), chains: inOrder(chains) }
    found.set(service, [...(found.get(service) ?? []), one])
  }
  return [...found].map(([fullName, own]) => {
    const [namespace = '', name = ''] = fullName.split('/')
    return { namespace, name, ports: own }
  })
}

/** In the order of a packet's path; the chains of one kind keep their order. */
function inOrder(chains: readonly ExplainedChain[]): readonly ExplainedChain[] {
  const filled = chains.filter(({ rules }) => rules.length > 0)
  return filled.sort((a, b) => chainRank(a.table, a.chain) - chainRank(b.table, b.chain))
}
