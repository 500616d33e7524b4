import { parseRule } from '../../../src/netfilter/rules/parse.js'
import { canonicalRule, renderRule } from '../../../src/netfilter/rules/render.js'
import { ruleText, type SavedTable } from '../../../src/netfilter/save.js'

/** The saved rules that have a part without types, or that would be printed differently. */
export function untyped(tables: readonly SavedTable[]): string[] {
  return tables.flatMap(({ rules }) =>
    rules
      .filter(({ spec }) => {
        const rule = parseRule(spec)
        const unknown = [...rule.matches, rule.target].some((part) => part?.kind === 'unknown')
        return unknown || renderRule(rule) !== spec || canonicalRule(rule) !== spec
      })
      .map(ruleText),
  )
}
