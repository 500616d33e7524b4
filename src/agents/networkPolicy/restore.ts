import type { IpFamily } from '../../net/ipFamily.js'
import { marked } from '../../netfilter/rules/build.js'
import type { Rule } from '../../netfilter/rules/model.js'
import { renderRule } from '../../netfilter/rules/render.js'
import type { Meaning, RuleMeaning } from '../meaning.js'
import { tableChanges, type Backend, type SetChange, type TableChanges } from './changes.js'
import { hookChains, hookJumps } from './hookChains.js'
import type { PolicyChainRule, PolicySet } from './policyChains.js'
import { remembered } from './remembered.js'
import type { NodeTables } from './state.js'

/** What changes the tables of a node, in the order in which the tools run. */
export interface PolicyChanges {
  /** Input of `ipset restore -exist`, before the rules. */
  readonly setsBefore: string
  /** Input of `iptables-restore --noflush`. */
  readonly rules: string
  /** Input of `ipset restore`, when no rule names these sets any more. */
  readonly setsAfter: string
}

/** Changes the tables of one family to others; undefined are those of a cluster without policies. */
export function policyChanges(
  before: NodeTables | undefined,
  after: NodeTables | undefined,
  family: IpFamily,
): PolicyChanges {
  const changes = tableChanges(before, after, chainsOf, iptables)
  return {
    setsBefore: changes.sets.flatMap((set) => setLines(set, family)).join(''),
    rules: ruleText(before, after, changes),
    setsAfter: changes.goneSets.map((name) => `destroy ${name}\n`).join(''),
  }
}

/** Rules and sets that did not change are the same values: their text is kept, for other nodes and for the next change. */
const iptables: Backend = {
  linesOf: remembered((rule: PolicyChainRule) => rulesIn(rule).map(renderRule)),
  entriesOf: remembered(entriesOf),
}

/** iptables marks in one rule, and returns in the next. */
function rulesIn({ rule, returns }: PolicyChainRule): readonly Rule[] {
  const { target, matches } = rule
  if (returns !== true || target?.kind !== 'MARK' || target.setXmark === undefined) return [rule]
  const isMarked = marked(target.setXmark.value)
  return [rule, { ...rule, matches: [...matches, isMarked], target: { kind: 'RETURN' } }]
}

function entriesOf(set: PolicySet): ReadonlySet<string> {
  return new Set(
    set.kind === 'pods'
      ? set.addresses
      : set.ranges.map(({ range, isException }) => `${range}${isException ? ' nomatch' : ''}`),
  )
}

/** A set as kube-router creates it: its entries could have a timeout, and have none. */
function setLines({ name, set, isNew, added, removed }: SetChange, family: IpFamily): string[] {
  const inFamily = family === 'IPv4' ? '' : ' family inet6'
  const type = set.kind === 'pods' ? 'hash:ip' : 'hash:net'
  return [
    ...(isNew ? [`create ${name} ${type} timeout 0${inFamily}\n`] : []),
    ...removed.map((entry) => `del ${name} ${entry.replace(' nomatch', '')}\n`),
    ...added.map((entry) => `add ${name} ${entry.replace(/( nomatch)?$/, ' timeout 0$1')}\n`),
  ]
}

function ruleText(
  before: NodeTables | undefined,
  after: NodeTables | undefined,
  { chains, goneChains }: TableChanges,
): string {
  const jumps = hookJumps().flatMap(({ chain, rule }) => {
    if ((before === undefined) === (after === undefined)) return []
    return [`${before === undefined ? '-I' : '-D'} ${chain} ${renderRule(rule)}\n`]
  })
  if (chains.length + goneChains.length + jumps.length === 0) return ''
  return [
    '*filter\n',
    ...[...chains.map(({ name }) => name), ...goneChains].map((name) => `:${name} - [0:0]\n`),
    ...chains.flatMap(({ name, rules }) =>
      rules.flatMap(iptables.linesOf).map((line) => `-A ${name} ${line}\n`),
    ),
    ...jumps,
    ...goneChains.map((name) => `-X ${name}\n`),
    'COMMIT\n',
  ].join('')
}

/** The chains of the node's pods, and those that lead to them. */
function chainsOf(tables: NodeTables): ReadonlyMap<string, readonly PolicyChainRule[]> {
  const { pods, shared } = tables
  return new Map([...pods.map(({ name, rules }) => [name, rules] as const), ...hookChains(tables), ...shared])
}

/** What the lines of `rules` mean when they are written first: `filter -A KUBE-POD-FW-…`. */
export function policyMeanings(tables: NodeTables): Map<string, RuleMeaning> {
  const ofChains = [...tables.policies.chains, ...chainsOf(tables)].flatMap(([chain, rules]) =>
    rules.flatMap((rule) =>
      iptables.linesOf(rule).map((spec) => [`-A ${chain}`, spec, rule.meaning] as const),
    ),
  )
  const ofJumps = hookJumps().map(
    ({ chain, rule, meaning }) => [`-I ${chain}`, renderRule(rule), meaning] as const,
  )
  return new Map(
    [...ofChains, ...ofJumps].map(([command, spec, meaning]): [string, RuleMeaning] => [
      `filter ${command} ${spec}`,
      { spec, ...meaning },
    ]),
  )
}

/** What the entries of the ipsets mean, by set. */
export function entryMeanings({ policies }: NodeTables): Map<string, ReadonlyMap<string, Meaning>> {
  return new Map(
    [...policies.sets].map(([name, set]) => [
      name,
      new Map(
        [...iptables.entriesOf(set)].map((entry): [string, Meaning] => [
          entry.replace(' nomatch', ''),
          set.meaning,
        ]),
      ),
    ]),
  )
}
