import { parseNftRule } from '../../netfilter/nft/statements.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { isNative } from '../../snapshot/model/nft.js'
import type { RuleStep } from '../model/steps.js'

/** The width of the name and number of a rule. */
export const chainColumn = 20

/** The conditions of a rule without comments and the names of extensions: `-d 10.96.1.1/32 --dport 80`. */
export function conditionsText({
  table,
  spec,
  element,
}: Pick<RuleStep, 'table' | 'spec' | 'element'>): string {
  if (isNative(table)) return nftConditions(spec, element)
  const { target: _target, written: _written, ...rule } = parseRule(spec)
  const matches = rule.matches.filter(({ kind }) => kind !== 'comment')
  const text = canonicalRule({ ...rule, matches })
    .replace(/(^| )-m \S+/g, '')
    .trim()
  return element === undefined ? text : `${text} { ${element} }`
}

/** The conditions of a rule of nftables; the element that a map has found after the map. */
function nftConditions(spec: string, element: string | undefined): string {
  const texts = parseNftRule(spec).flatMap(({ kind, text }) =>
    kind === 'match' || kind === 'vmap' || kind === 'unknown' ? [text] : [],
  )
  return [...texts, ...(element === undefined ? [] : [`{ ${element} }`])].join(' ')
}

/** The name of a chain with at most four characters of its hash: `KUBE-SVC-BD5W…`. */
export function shortChain(chain: string): string {
  return chain
    .replace(/^(KUBE-(?:SVC|SVL|EXT|FW|SEP)-.{4}).+$/, '$1…')
    .replace(/^(CNI-DN-.{4}).+$/, '$1…')
    .replace(/\b((?:service|local|external|firewall|endpoint|affinity)-[A-Z2-7]{4})[A-Z2-7]{4}-\S+/g, '$1…')
}

/** The chain to which a rule jumps that was not chosen. */
export function randomTarget({ table, spec }: RuleStep): string | undefined {
  if (isNative(table)) return undefined
  const { target } = parseRule(spec)
  return target?.kind === 'jump' ? target.chain : undefined
}
