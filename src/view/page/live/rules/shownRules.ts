import { conditionsText } from '../../../../trace/text/ruleText.js'
import { isNative } from '../../../../snapshot/model/nft.js'
import type { LiveChain, LiveRule, NodeRules } from '../../../live/api.js'

/** Which rules are shown. */
export interface RuleFilter {
  /** Part of a rule, its explanation, its chain or its owner; empty for all. */
  readonly search: string
  /** The Service port behind a rule, as rules name it; empty for all. */
  readonly object: string
}

/** The chains with those of their rules that are shown; chains without any are left out. */
export function shownChains(chains: readonly LiveChain[], { search, object }: RuleFilter): LiveChain[] {
  const wanted = search.trim().toLowerCase()
  const has = (text: string | undefined) => text?.toLowerCase().includes(wanted) === true
  return chains.flatMap((chain) => {
    const rules = chain.rules.filter((rule) => {
      if (object !== '' && rule.object !== object) return false
      return [rule.text, rule.explanation, rule.object, rule.owner, chain.chain, chain.table].some(has)
    })
    return rules.length === 0 ? [] : [{ ...chain, rules }]
  })
}

/** The Service ports that have rules. */
export function objectsOf(all: readonly (NodeRules | undefined)[]): string[] {
  const rules = all.flatMap((one) => one?.chains.flatMap((chain) => chain.rules) ?? [])
  return [...new Set(rules.flatMap(({ object }) => object ?? []))].toSorted()
}

/** A rule in two parts: when it applies, and what it does then. */
export interface RuleParts {
  readonly conditions: string
  readonly target: string
  /** The chain that is evaluated next, if it is one. */
  readonly chain?: string | undefined
}

/** Splits a rule; unless it is `full`, without comments and the names of extensions. */
export function ruleParts({ text }: LiveRule, table: string, isFull: boolean): RuleParts {
  if (isNative(table)) {
    const [target, chain] = /\b(?:jump|goto) (\S+)$/.exec(text) ?? []
    if (target === undefined) return { conditions: text, target: '' }
    return { conditions: text.slice(0, -target.length).trim(), target, chain }
  }
  const [written = '', target = '', chain] = /(?:^| )-[jg] ((\S+).*)$/.exec(text) ?? []
  const conditions = isFull ? text.slice(0, text.length - written.length) : shortConditions(text, table)
  return { conditions: conditions.trim(), target, chain }
}

function shortConditions(spec: string, table: string): string {
  return conditionsText({
    ...{ kind: 'rule', hook: 'prerouting', chain: '', number: 0, holds: 'yes', table, spec },
  })
}
