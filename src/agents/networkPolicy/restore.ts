import type { IpFamily } from '../../net/ipFamily.js'
import { renderRule } from '../../netfilter/rules/render.js'
import type { RuleMeaning } from '../meaning.js'
import { hookJumps } from './baseChains.js'
import type { PolicyChainRule, PolicySet, PolicyTables } from './policyChains.js'

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
  before: PolicyTables | undefined,
  after: PolicyTables | undefined,
  family: IpFamily,
): PolicyChanges {
  const [oldSets, newSets] = [before?.sets ?? none.sets, after?.sets ?? none.sets]
  const gone = [...oldSets.keys()].filter((name) => !newSets.has(name))
  return {
    setsBefore: [...newSets]
      .flatMap(([name, set]) => setLines(name, set, oldSets.get(name), family))
      .join(''),
    rules: ruleText(before, after),
    setsAfter: gone.map((name) => `destroy ${name}\n`).join(''),
  }
}

const none: PolicyTables = { sets: new Map(), chains: new Map() }

/** A set as kube-router creates it: its entries could have a timeout, and have none. */
function setLines(name: string, set: PolicySet, before: PolicySet | undefined, family: IpFamily): string[] {
  if (set === before) return []
  const inFamily = family === 'IPv4' ? '' : ' family inet6'
  const added = [...set.entries].filter((entry) => before?.entries.has(entry) !== true)
  const removed = [...(before?.entries ?? [])].filter((entry) => !set.entries.has(entry))
  return [
    ...(before === undefined ? [`create ${name} ${set.type} timeout 0${inFamily}\n`] : []),
    ...removed.map((entry) => `del ${name} ${entry.replace(' nomatch', '')}\n`),
    ...added.map((entry) => `add ${name} ${entry.replace(/( nomatch)?$/, ' timeout 0$1')}\n`),
  ]
}

function ruleText(before: PolicyTables | undefined, after: PolicyTables | undefined): string {
  const [old, now] = [before?.chains ?? none.chains, after?.chains ?? none.chains]
  const changed = [...now].flatMap(([name, rules]) => {
    const known = old.get(name)
    return known !== undefined && isSameChain(known, rules) ? [] : [{ name, lines: chainLines(name, rules) }]
  })
  const gone = [...old.keys()].filter((name) => !now.has(name))
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

/** Rules of pods and policies that did not change are the same values. */
function isSameChain(a: readonly PolicyChainRule[], b: readonly PolicyChainRule[]): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every(({ rule }, index) => {
      const other = b[index]?.rule
      return rule === other || (other !== undefined && renderRule(rule) === renderRule(other))
    })
  )
}

function chainLines(chain: string, rules: readonly PolicyChainRule[]): string[] {
  return rules.map(({ rule }) => `-A ${chain} ${renderRule(rule)}\n`)
}

/** What the lines of `rules` mean when they are written first: `filter -A KUBE-POD-FW-…`. */
export function policyMeanings({ chains }: PolicyTables): Map<string, RuleMeaning> {
  const ofChains = [...chains].flatMap(([chain, rules]) =>
    rules.map(({ rule, meaning }) => [`-A ${chain}`, rule, meaning] as const),
  )
  const ofJumps = hookJumps().map(({ chain, rule, meaning }) => [`-I ${chain}`, rule, meaning] as const)
  return new Map(
    [...ofChains, ...ofJumps].map(([command, rule, meaning]): [string, RuleMeaning] => {
      const spec = renderRule(rule)
      return [`filter ${command} ${spec}`, { spec, ...meaning }]
    }),
  )
}
