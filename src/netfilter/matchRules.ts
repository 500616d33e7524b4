import { matchOf } from './rules/model.js'
import { canonicalRule, uncommentedRule } from './rules/render.js'
import type { TypedRule } from './rules/typedTable.js'

/** How the expected and actual rules of one chain, or of one service port in it, compare. */
export interface RuleMatching {
  readonly missing: readonly TypedRule[]
  readonly extra: readonly TypedRule[]
  readonly different: readonly { readonly expected: TypedRule; readonly actual: TypedRule }[]
  /** True if the same rules are in a different order. */
  readonly reordered: boolean
}

/** Minimum similarity of two rules (shared words of all words) to be treated as one changed rule. */
const alike = 0.5
/** Above this number of pairs, only rules with the same comment are paired. */
const manyPairs = 10_000

/**
 * Matches expected rules with actual rules. With `looseComments`, a comment on one side only is no
 * difference: kube-proxy leaves it out over 1000 endpoints, and does not rewrite old rules when it crosses that limit.
 */
export function matchRules(
  expected: readonly TypedRule[],
  actual: readonly TypedRule[],
  looseComments: boolean,
): RuleMatching {
  const order: number[] = []
  const free = new Map<string, number[]>()
  const comparedText = ({ rule }: TypedRule) => (looseComments ? uncommentedRule : canonicalRule)(rule)
  actual.forEach((rule, index) => {
    const key = comparedText(rule)
    const indexes = free.get(key)
    if (indexes) indexes.push(index)
    else free.set(key, [index])
  })
  const missing: TypedRule[] = []
  for (const rule of expected) {
    const index = free.get(comparedText(rule))?.shift()
    if (index === undefined) missing.push(rule)
    else order.push(index)
  }
  const extra = [...free.values()]
    .flat()
    .sort((a, b) => a - b)
    .flatMap((index) => actual[index] ?? [])
  const reordered = order.some((index, position) => position > 0 && index < (order[position - 1] ?? 0))
  return { ...pairChanged(missing, extra), reordered }
}

function pairChanged(
  missing: readonly TypedRule[],
  extra: readonly TypedRule[],
): Pick<RuleMatching, 'missing' | 'extra' | 'different'> {
  const left = [...extra]
  const different: { expected: TypedRule; actual: TypedRule }[] = []
  const unpaired: TypedRule[] = []
  const compareAll = missing.length * extra.length <= manyPairs
  for (const expected of missing) {
    const best = compareAll
      ? mostAlike(expected, left)
      : left.findIndex((rule) => sameComment(rule, expected))
    const [actual] = best < 0 ? [] : left.splice(best, 1)
    if (actual) different.push({ expected, actual })
    else unpaired.push(expected)
  }
  return { missing: unpaired, extra: left, different }
}

function mostAlike(rule: TypedRule, candidates: readonly TypedRule[]): number {
  const words = new Set(rule.spec.split(' '))
  let best = -1
  let highest = alike
  candidates.forEach((candidate, index) => {
    const others = new Set(candidate.spec.split(' '))
    const shared = [...others].filter((word) => words.has(word)).length
    const likeness = shared / (words.size + others.size - shared)
    if (likeness > highest) [best, highest] = [index, likeness]
  })
  return best
}

function sameComment(a: TypedRule, b: TypedRule): boolean {
  const [one, other] = [a, b].map(({ rule }) => matchOf(rule, 'comment')?.comment)
  return one !== undefined && one === other
}
