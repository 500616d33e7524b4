import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import type { RuleStep } from '../model/steps.js'

/** The conditions of a rule without comments and the names of extensions: `-d 10.96.1.1/32 --dport 80`. */
export function conditionsText({ spec }: RuleStep): string {
  const { target: _target, written: _written, ...rule } = parseRule(spec)
  const matches = rule.matches.filter(({ kind }) => kind !== 'comment')
  return canonicalRule({ ...rule, matches })
    .replace(/(^| )-m \S+/g, '')
    .trim()
}

/** The name of a chain with at most four characters of its hash: `KUBE-SVC-BD5W…`. */
export function shortChain(chain: string): string {
  return chain.replace(/^(KUBE-(?:SVC|SVL|EXT|FW|SEP)-.{4}).+$/, '$1…').replace(/^(CNI-DN-.{4}).+$/, '$1…')
}
