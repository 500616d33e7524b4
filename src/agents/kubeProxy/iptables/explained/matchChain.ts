import { matchRules } from '../../../../netfilter/matchRules.js'
import { canonicalRule, uncommentedRule } from '../../../../netfilter/rules/render.js'
import type { TypedRule } from '../../../../netfilter/rules/typedTable.js'
import type { Language } from '../../../../text/language.js'
import { iptablesTexts } from '../texts.js'
import type { ExplainedRule } from './types.js'

/** A rule that kube-proxy writes: why, and what iptables-save prints for it. */
export interface WrittenRule {
  readonly why: string
  readonly saved: TypedRule
}

/**
 * Joins the rules of a chain with what kube-proxy writes: in the kernel's order, each missing rule after the one
 * that it should follow. With `looseComments` a comment on one side only is no difference (over 1000
 * endpoints kube-proxy leaves comments out, and does not rewrite old rules).
 */
export function matchChain(
  written: readonly WrittenRule[],
  existing: readonly TypedRule[],
  looseComments: boolean,
  language: Language,
  /** Whether a rule is another program's. */
  isForeign: (rule: TypedRule) => boolean,
): readonly ExplainedRule[] {
  const own = existing.filter((rule) => !isForeign(rule))
  const found = pair(written, own, looseComments)
  const rows: ExplainedRule[][] = [[]]
  const rowOf = new Map<WrittenRule, number>()
  for (const saved of existing) {
    const match = found.get(saved)
    if (match) rowOf.set(match.written, rows.length)
    rows.push([isForeign(saved) ? foreignRule(saved, language) : existingRule(saved, match, language)])
  }
  let last = 0
  for (const one of written) {
    const row = rowOf.get(one)
    if (row === undefined) rows[last]?.push(missingRule(one))
    else last = row
  }
  return rows.flat()
}

interface Match {
  readonly written: WrittenRule
  readonly same: boolean
}

/** Pairs kernel rules with written rules: first equal ones, then the most similar. */
function pair(
  written: readonly WrittenRule[],
  existing: readonly TypedRule[],
  looseComments: boolean,
): ReadonlyMap<TypedRule, Match> {
  const comparedText = ({ rule }: TypedRule) => (looseComments ? uncommentedRule : canonicalRule)(rule)
  const waiting = new Map<string, WrittenRule[]>()
  for (const one of written) {
    const key = comparedText(one.saved)
    const same = waiting.get(key)
    if (same) same.push(one)
    else waiting.set(key, [one])
  }
  const pairs = new Map<TypedRule, Match>()
  for (const saved of existing) {
    const match = waiting.get(comparedText(saved))?.shift()
    if (match) pairs.set(saved, { written: match, same: true })
  }
  const left = new Map([...waiting.values()].flat().map((one) => [one.saved, one]))
  const rest = existing.filter((saved) => !pairs.has(saved))
  for (const { expected, actual } of matchRules([...left.keys()], rest, false).different) {
    const match = left.get(expected)
    if (match) pairs.set(actual, { written: match, same: false })
  }
  return pairs
}

function countersOf({ packets, bytes }: TypedRule) {
  return packets === undefined ? {} : { packets, bytes: bytes ?? 0 }
}

function foreignRule(saved: TypedRule, language: Language): ExplainedRule {
  return {
    state: 'foreign',
    spec: saved.spec,
    ...countersOf(saved),
    why: iptablesTexts[language].foreign,
  }
}

function existingRule(saved: TypedRule, match: Match | undefined, language: Language): ExplainedRule {
  const { spec } = saved
  const counted = countersOf(saved)
  if (!match) return { state: 'extra', spec, ...counted, why: iptablesTexts[language].extra }
  const { why } = match.written
  if (match.same) return { state: 'expected', spec, ...counted, why }
  return { state: 'different', spec, expected: match.written.saved.spec, ...counted, why }
}

function missingRule({ why, saved }: WrittenRule): ExplainedRule {
  return { state: 'missing', spec: saved.spec, why }
}
