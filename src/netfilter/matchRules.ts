import type { SavedRule } from './save.js'

/** How the rules of one chain, or of one service port in it, agree. */
export interface RuleMatching {
  readonly missing: readonly SavedRule[]
  readonly extra: readonly SavedRule[]
  readonly different: readonly { readonly expected: SavedRule; readonly actual: SavedRule }[]
  /** True when the same rules stand in another order. */
  readonly reordered: boolean
}

/** How alike two rules must be (shared words of all words) to be taken for one rule that was changed. */
const alike = 0.5
/** Above this many pairs only rules with the same comment are taken for one another. */
const manyPairs = 10_000

/**
 * Matches rules that should be with rules that are. With `looseComments`, a comment that stands on one side only is no
 * difference: kube-proxy leaves it out over 1000 endpoints, and does not rewrite old rules when it crosses that line.
 */
export function matchRules(
  expected: readonly SavedRule[],
  actual: readonly SavedRule[],
  looseComments: boolean,
): RuleMatching {
  const order: number[] = []
  const free = new Map<string, number[]>()
  const keyOf = (rule: SavedRule) => normalSpec(looseComments ? withoutComment(rule.spec) : rule.spec)
  actual.forEach((rule, index) => {
    const key = keyOf(rule)
    const indexes = free.get(key)
    if (indexes) indexes.push(index)
    else free.set(key, [index])
  })
  const missing: SavedRule[] = []
  for (const rule of expected) {
    const index = free.get(keyOf(rule))?.shift()
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

/** A rule with single spaces between its words; iptables versions disagree about a second one. */
export function normalSpec(spec: string): string {
  return spec.replace(/("(?:[^"\\]|\\.)*")| {2,}/g, (_, quoted: string | undefined) => quoted ?? ' ').trim()
}

/** A rule without its comment. */
export function withoutComment(spec: string): string {
  return spec.replace(/-m comment --comment (?:"(?:[^"\\]|\\.)*"|\S+) ?/, '')
}

function pairChanged(
  missing: readonly SavedRule[],
  extra: readonly SavedRule[],
): Pick<RuleMatching, 'missing' | 'extra' | 'different'> {
  const left = [...extra]
  const different: { expected: SavedRule; actual: SavedRule }[] = []
  const unpaired: SavedRule[] = []
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

function mostAlike(rule: SavedRule, candidates: readonly SavedRule[]): number {
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

function sameComment(a: SavedRule, b: SavedRule): boolean {
  const comment = (rule: SavedRule) => /--comment ("[^"]*"|\S+)/.exec(rule.spec)?.[1]
  return comment(a) !== undefined && comment(a) === comment(b)
}
