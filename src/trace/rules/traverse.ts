import type { Rule, Target } from '../../netfilter/rules/model.js'
import { targetText } from '../../netfilter/rules/render.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import type { RuleTables, TracedChain, TracedRule } from '../../snapshot/model/state.js'
import type { RuleStep, Step } from '../model/steps.js'
import type { Choices, Option } from '../walk/choices.js'
import type { Template } from '../walk/connection.js'
import type { ChainIndexes } from './chainIndex.js'
import { whyOf } from './answer.js'
import { chanceOf, probabilityText } from './chance.js'
import { changeIpset } from './ipset.js'
import { matchRule, type Decided } from './matchPacket.js'
import type { Seen } from './seen.js'
import { translate, type Translation } from './translate.js'

/** What a table does with a packet. */
export type Verdict =
  | { readonly kind: 'accept' }
  | { readonly kind: 'drop'; readonly rule?: RuleStep; readonly chain: string }
  | { readonly kind: 'reject'; readonly rule: RuleStep; readonly with: string }
  /** A program decides, or a target that is not predicted. */
  | { readonly kind: 'opaque'; readonly rule: RuleStep }
  | (Translation & { readonly kind: 'nat'; readonly rule: RuleStep })

/** What the traversal of a table needs, and changes: the packet's mark, whether it is tracked. */
export interface Traversal {
  readonly seen: () => Seen
  /** If given, rules that the packet’s destination excludes are left out of the steps. */
  readonly indexes?: ChainIndexes | undefined
  readonly choices: Choices
  readonly record: (step: Step) => void
  readonly setMark: (mark: number) => void
  readonly setTtl: (ttl: number) => void
  readonly untrack: () => void
  /** Chooses what connection tracking does with the packet, if no rule has chosen; `isNative` for rules of nftables. */
  readonly choose: (template: Template, isNative: boolean) => void
  /** The address for packets that leave by the outgoing interface. */
  readonly masqueradeAddress: () => string | undefined
}

/** Evaluates the rules of one table at the packet's hook. */
export function traverseTable(tables: RuleTables, table: string, traversal: Traversal): Verdict {
  const chains = tables.get(table)
  const { hook } = traversal.seen()
  const name = hook.toUpperCase()
  const chain = chains?.get(name)
  if (chains === undefined || chain === undefined) return { kind: 'accept' }
  const verdict = traverseChain({ table, chains, traversal }, name, chain, 0)
  if (verdict !== undefined) return verdict
  if (chain.policy === 'DROP') {
    traversal.record({ kind: 'policy', hook, table, chain: name, policy: 'DROP' })
    return { kind: 'drop', chain: name }
  }
  return { kind: 'accept' }
}

interface InTable {
  readonly table: string
  readonly chains: ReadonlyMap<string, TracedChain>
  readonly traversal: Traversal
}

/** iptables and nft reject loops of jumps. */
export const deepest = 64

/** Undefined if the chain returns. */
function traverseChain(
  inTable: InTable,
  name: string,
  chain: TracedChain,
  depth: number,
): Verdict | undefined {
  const { indexes, seen } = inTable.traversal
  const { rules } = chain
  // nothing in a table changes the destination before it ends
  const positions = indexes?.of(chain)?.positions(seen().packet)
  for (let at = 0; at < (positions ?? rules).length; at++) {
    const index = positions === undefined ? at : (positions[at] ?? at)
    const traced = rules[index]
    if (traced === undefined) break
    const { target } = traced.rule
    const step = evaluate(inTable, name, index + 1, traced)
    inTable.traversal.record(step)
    if (step.holds !== 'yes' || target === undefined) continue
    if (target.kind === 'RETURN') return undefined
    if (target.kind === 'jump' || target.kind === 'goto') {
      const next = inTable.chains.get(target.chain)
      // a target without options looks like a jump
      if (next === undefined && !passes(target)) return { kind: 'opaque', rule: step }
      const verdict = next && depth < deepest && traverseChain(inTable, target.chain, next, depth + 1)
      if (typeof verdict === 'object') return verdict
      if (target.kind === 'goto') return undefined
      continue
    }
    const verdict = act(inTable.traversal, target, step)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

/** Evaluates a rule; where the state does not decide, the path takes one side. */
function evaluate(
  { table, traversal }: InTable,
  chain: string,
  number: number,
  traced: TracedRule,
): RuleStep {
  const { rule, spec, owner, why, object } = traced
  const seen = traversal.seen()
  const found = matchRule(rule, seen)
  const decided =
    found.holds === 'no' ? found : decide(traversal, seen, `${table} ${chain} ${number}`, rule, found)
  for (const { apply, doubt } of found.pending ?? []) {
    if (decided.holds === 'yes') apply()
    else doubt()
  }
  const { holds, condition, because } = decided
  const effect = holds === 'yes' ? effectOf(traversal, rule.target) : undefined
  const entry = found.found
  const { hook } = seen
  return {
    kind: 'rule',
    hook,
    table,
    chain,
    number,
    spec,
    holds,
    condition,
    because,
    effect,
    ...(entry && { element: entry.element }),
    owner,
    why: whyOf(why, entry?.why),
    object: object ?? entry?.object,
  }
}

function decide(
  { choices }: Traversal,
  { host }: Seen,
  question: string,
  rule: Rule,
  found: Decided,
): Decided {
  // rules that only count or log change nothing
  if (found.holds === 'unknown' && isIdle(rule.target) && found.pending === undefined) return found
  if (found.holds === 'unknown') {
    const asked = `${question}: ${found.condition} (${found.because})`
    const holds = takesRule(choices, host.name, asked) ? 'yes' : 'no'
    return { ...found, holds, because: `unknown: ${found.because}` }
  }
  const chance = chanceOf(rule)
  if (chance === undefined || chance === 1) return found
  const { condition, options } = randomChoice(rule, chance)
  const taken = choices.take(
    { kind: 'random', place: host.name, question: `${question}: ${condition}` },
    options,
  )
  return { holds: taken === 0 ? 'yes' : 'no', condition, because: taken === 0 ? 'chosen' : 'not chosen' }
}

interface RandomChoice {
  readonly condition: string
  readonly options: readonly Option[]
}

/** What is asked for rules with a random match: a path to one of many endpoints asks for each before it. */
const randomChoices = new WeakMap<Rule, RandomChoice>()

function randomChoice(rule: Rule, chance: number): RandomChoice {
  const known = randomChoices.get(rule)
  if (known !== undefined) return known
  const name = rule.target === undefined ? 'yes' : targetText(rule.target).slice(3)
  const options = [
    { name, probability: chance },
    { name: 'next rule', probability: 1 - chance },
  ]
  const made = { condition: `random ${probabilityText(chance)}`, options }
  randomChoices.set(rule, made)
  return made
}

/** Whether a path takes a rule of which the state does not decide whether it applies. */
export function takesRule(choices: Choices, place: string, question: string): boolean {
  const options = [{ name: 'applies' }, { name: 'does not apply' }]
  return choices.take({ kind: 'unknown', place, question }, options) === 0
}

/** `mark 0x0 ⇒ 0x4000` */
export function markText(before: number, after: number): string {
  return `mark 0x${before.toString(16)} ⇒ 0x${after.toString(16)}`
}

/** `DNAT dst ⇒ 10.244.1.2:80`; the name alone where the result is not known. */
export function natText(name: string, result: Translation | undefined): string {
  const side = result?.side === 'source' ? 'src' : 'dst'
  return result === undefined ? name : `${name} ${side} ⇒ ${tracedSocketText(result.to)}`
}

/** Targets after which the next rule is evaluated, and that change nothing that a prediction knows. */
const passing = new Set([
  ...['LOG', 'NFLOG', 'AUDIT', 'TRACE', 'TCPMSS', 'CHECKSUM', 'CLASSIFY', 'DSCP', 'TOS', 'ULOG'],
  ...['TCPOPTSTRIP', 'ECN', 'SET', 'CONNSECMARK', 'SECMARK', 'RATEEST', 'LED', 'IDLETIMER'],
])

/** Whether a target decides nothing, and changes nothing. */
function isIdle(target: Target | undefined): boolean {
  return target === undefined || (passes(target) && !(target.kind === 'unknown' && target.name === 'SET'))
}

/** `--add-set blocked src,dst --exist` */
function changeSets(options: string, seen: Seen): void {
  for (const [, operation, name = '', fields = ''] of options.matchAll(/--(add|del)-set (\S+) (\S+)/g))
    changeIpset(operation === 'add' ? 'add' : 'del', name, fields.split(','), seen)
}

function passes(target: Target): boolean {
  if (target.kind === 'unknown') return passing.has(target.name)
  return passing.has(target.kind === 'jump' ? target.chain : target.kind)
}

function effectOf(traversal: Traversal, target: Target | undefined): string | undefined {
  if (target === undefined) return undefined
  const { packet, hook } = traversal.seen()
  switch (target.kind) {
    case 'jump':
    case 'goto':
      return target.chain
    case 'MARK':
      return markText(packet.mark, newMark(packet.mark, target.setXmark))
    case 'DNAT':
    case 'SNAT':
    case 'MASQUERADE':
    case 'REDIRECT':
    case 'NETMAP': {
      return natText(target.kind, translate(traversal.seen(), traversal.masqueradeAddress, target))
    }
    default:
      return hook === undefined ? undefined : targetText(target).slice(3)
  }
}

function act(traversal: Traversal, target: Target, rule: RuleStep): Verdict | undefined {
  const { packet, tracked } = traversal.seen()
  const connection = typeof tracked === 'object' ? tracked.connection : undefined
  switch (target.kind) {
    case 'ACCEPT':
      return { kind: 'accept' }
    case 'DROP':
      return { kind: 'drop', rule, chain: rule.chain }
    case 'REJECT':
      return { kind: 'reject', rule, with: target.rejectWith }
    case 'MARK':
      traversal.setMark(newMark(packet.mark, target.setXmark))
      return undefined
    case 'CONNMARK': {
      const { nfmask = 0xffffffff, ctmask = 0xffffffff } = target
      if (connection === undefined) return undefined
      if (target.setXmark) connection.mark = newMark(connection.mark, target.setXmark)
      if (target.saveMark) connection.mark = ((connection.mark & ~ctmask) ^ (packet.mark & nfmask)) >>> 0
      if (target.restoreMark) traversal.setMark(((packet.mark & ~nfmask) ^ (connection.mark & ctmask)) >>> 0)
      return undefined
    }
    case 'NOTRACK':
      traversal.untrack()
      return undefined
    case 'CT':
      if (target.notrack) traversal.untrack()
      else traversal.choose(templateOf(target), false)
      return undefined
    case 'DNAT':
    case 'SNAT':
    case 'MASQUERADE':
    case 'REDIRECT':
    case 'NETMAP': {
      const to = translate(traversal.seen(), traversal.masqueradeAddress, target)
      return to === undefined ? { kind: 'opaque', rule } : { kind: 'nat', ...to, rule }
    }
    case 'unknown':
      if (target.name === 'TTL' || target.name === 'HL') {
        const ttl = newTtl(packet.ttl, target.options)
        if (ttl === 'unknown') return { kind: 'opaque', rule }
        if (ttl !== undefined) traversal.setTtl(ttl)
        return undefined
      }
      if (target.name === 'SET') {
        // sets of a packet's mark, priority or queue by its entry
        if (/--map-mark/.test(target.options)) return { kind: 'opaque', rule }
        changeSets(target.options, traversal.seen())
      }
      return passes(target) ? undefined : { kind: 'opaque', rule }
    default:
      return passes(target) ? undefined : { kind: 'opaque', rule }
  }
}

/** `--zone 5`, `--zone-orig mark`, or no zone: a helper, a timeout. */
function templateOf({ zone, zoneOrig, zoneReply }: Extract<Target, { readonly kind: 'CT' }>): Template {
  const written = zone ?? zoneOrig ?? zoneReply
  if (written === undefined) return {}
  const direction = zone !== undefined ? undefined : zoneOrig === undefined ? 'reply' : 'original'
  return { zone: { id: Number(written), direction }, isMark: written === 'mark' }
}

/** A change of the time to live that no packet notices if it is not known with which one it was sent. */
const smallChange = 16

/** `--ttl-set 1`, `--hl-dec 2`; undefined where it stays unknown. */
function newTtl(ttl: number | undefined, options: string): number | 'unknown' | undefined {
  const [, operation, amount = ''] = /^--(?:ttl|hl)-(set|dec|inc) (\d+)$/.exec(options) ?? []
  const number = Number(amount)
  if (operation === 'set') return number
  if (operation === undefined || (ttl === undefined && number > smallChange)) return 'unknown'
  if (ttl === undefined) return undefined
  return operation === 'dec' ? Math.max(0, ttl - number) : Math.min(255, ttl + number)
}

function newMark(mark: number, { value, mask }: { readonly value: number; readonly mask: number }): number {
  return ((mark & ~mask) ^ value) >>> 0
}
