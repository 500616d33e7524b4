import type { IpFamily } from '../../net/ipFamily.js'
import type { Rule } from '../../netfilter/rules/model.js'
import { renderRule } from '../../netfilter/rules/render.js'
import type { RuleMeaning } from '../meaning.js'
import { hookJumps } from './baseChains.js'
import type { PolicyChainRule, PolicySet, PolicyTables } from './policyChains.js'
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
  const [old, now] = [before?.policies ?? none, after?.policies ?? none]
  const [oldSets, newSets] = old === now ? [none.sets, none.sets] : [old.sets, now.sets]
  const gone = [...oldSets.keys()].filter((name) => !newSets.has(name))
  return {
    setsBefore: [...newSets]
      .filter(([name, set]) => set !== oldSets.get(name))
      .flatMap(([name, set]) => setLines(name, set, oldSets.get(name), family))
      .join(''),
    rules: ruleText(before, after),
    setsAfter: gone.map((name) => `destroy ${name}\n`).join(''),
  }
}

const none: PolicyTables = { sets: new Map(), chains: new Map() }

/** A set as kube-router creates it: its entries could have a timeout, and have none. */
function setLines(name: string, set: PolicySet, before: PolicySet | undefined, family: IpFamily): string[] {
  const inFamily = family === 'IPv4' ? '' : ' family inet6'
  const added = [...set.entries].filter((entry) => before?.entries.has(entry) !== true)
  const removed = [...(before?.entries ?? [])].filter((entry) => !set.entries.has(entry))
  return [
    ...(before === undefined ? [`create ${name} ${set.type} timeout 0${inFamily}\n`] : []),
    ...removed.map((entry) => `del ${name} ${entry.replace(' nomatch', '')}\n`),
    ...added.map((entry) => `add ${name} ${entry.replace(/( nomatch)?$/, ' timeout 0$1')}\n`),
  ]
}

function ruleText(before: NodeTables | undefined, after: NodeTables | undefined): string {
  const [old, now] = [before?.policies ?? none, after?.policies ?? none]
  const parts = [
    ...(old === now ? [] : [chainChanges(old.chains, now.chains)]),
    chainChanges(before?.chains ?? none.chains, after?.chains ?? none.chains),
  ]
  const changed = parts.flatMap((part) => part.changed)
  const gone = parts.flatMap((part) => part.gone)
  const jumps = hookJumps().flatMap(({ chain, rule }) => {
    if ((before === undefined) === (after === undefined)) return []
    return [`${before === undefined ? '-I' : '-D'} ${chain} ${renderRule(rule)}\n`]
  })
  if (changed.length + gone.length + jumps.length === 0) return ''
  return [
    '*filter\n',
    ...[...changed.map(({ name }) => name), ...gone].map((name) => `:${name} - [0:0]\n`),
    ...changed.flatMap(({ lines }) => lines),
    ...jumps,
    ...gone.map((name) => `-X ${name}\n`),
    'COMMIT\n',
  ].join('')
}

type Chains = NodeTables['chains']

function chainChanges(old: Chains, now: Chains) {
  return {
    changed: [...now]
      .filter(([name, rules]) => {
        const known = old.get(name)
        return known === undefined || !isSameChain(known, rules)
      })
      .map(([name, rules]) => ({ name, lines: chainLines(name, rules) })),
    gone: [...old.keys()].filter((name) => !now.has(name)),
  }
}

/** Rules that did not change are the same values: their text is kept, for other nodes and for the next change. */
const texts = new WeakMap<Rule, string>()

function textOf(rule: Rule): string {
  const text = texts.get(rule) ?? renderRule(rule)
  texts.set(rule, text)
  return text
}

function isSameChain(a: readonly PolicyChainRule[], b: readonly PolicyChainRule[]): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every(({ rule }, index) => {
      const other = b[index]?.rule
      return rule === other || (other !== undefined && textOf(rule) === textOf(other))
    })
  )
}

function chainLines(chain: string, rules: readonly PolicyChainRule[]): string[] {
  return rules.map(({ rule }) => `-A ${chain} ${textOf(rule)}\n`)
}

/** What the lines of `rules` mean when they are written first: `filter -A KUBE-POD-FW-…`. */
export function policyMeanings({ policies, chains }: NodeTables): Map<string, RuleMeaning> {
  const ofChains = [...policies.chains, ...chains].flatMap(([chain, rules]) =>
    rules.map(({ rule, meaning }) => [`-A ${chain}`, rule, meaning] as const),
  )
  const ofJumps = hookJumps().map(({ chain, rule, meaning }) => [`-I ${chain}`, rule, meaning] as const)
  return new Map(
    [...ofChains, ...ofJumps].map(([command, rule, meaning]): [string, RuleMeaning] => {
      const spec = textOf(rule)
      return [`filter ${command} ${spec}`, { spec, ...meaning }]
    }),
  )
}
