import { normalSpec, withoutComment } from '../netfilter/matchRules.js'
import type { ExplainedRule } from '../proxy/iptables/explained/types.js'
import type { Colours, Paint } from './colour.js'
import { printable } from './printable.js'
import { wrap } from './textWidth.js'

/** Where rules and their reasons begin: behind the mark and the count. */
const indent = 13

/**
 * A rule as lines of at most `width` columns: what it counted and the rule as iptables prints it, then why it is there.
 * Comments are left out, for they say what stands around; those of rules that kube-proxy did not write are kept.
 */
export function prettyRule(rule: ExplainedRule, width: number, colours: Colours): string[] {
  const { state, expected, why } = rule
  const count = state === 'missing' ? 'missing' : String(rule.packets ?? '')
  const left = `${marks[state]} ${count.padStart(indent - 5)}`
  // where nothing is counted, nothing else tells a rule from the reason of the one before
  const deeper = count === '' ? '    ' : ''
  const calm = state === 'stands' || state === 'foreign'
  const painted = calm ? (count === '0' ? colours.dim(left) : left) : colours.bad(left)
  const keep = state !== 'stands' && state !== 'missing'
  const [first = '', ...rest] = specLines(rule.spec, keep, width, colours)
  const more =
    expected === undefined
      ? []
      : ['kube-proxy writes:', ...specLines(expected, true, width, colours)].map((line) => pad(line))
  return [
    `  ${painted} ${first}`.trimEnd(),
    ...rest.map(pad),
    ...more,
    // whose it is stands above all of them
    ...(state === 'foreign'
      ? []
      : wrap(why.split(' '), width - indent - deeper.length).map((line) => pad(deeper + colours.dim(line)))),
  ]
}

const marks: Readonly<Record<ExplainedRule['state'], string>> = {
  stands: ' ',
  different: '~',
  missing: '-',
  extra: '+',
  foreign: ' ',
}

function specLines(spec: string, comments: boolean, width: number, colours: Colours): string[] {
  const text = printable(isOfIptables(spec) ? normalSpec(comments ? spec : withoutComment(spec)) : spec)
  if (text === '') return [colours.dim('(every packet; no target)')]
  return wrap(words(text), width - indent, ' ', '  ').map((line) => paintTarget(line, colours))
}

/** An option stays with its value, a target with its options: lines break between them. A rule of nft has no options. */
function words(spec: string): string[] {
  if (!isOfIptables(spec)) return spec.split(' ')
  return spec.split(/ (?=(?:! )?-)(?<!! )/)
}

function isOfIptables(spec: string): boolean {
  return /^(?:! )?-/.test(spec)
}

function paintTarget(line: string, colours: Colours): string {
  return line.replace(/-j (\S+)/, (_, target: string) => `-j ${paintOf(target, colours)(target)}`)
}

function paintOf(target: string, colours: Colours): Paint {
  if (target === 'DNAT') return colours.dnat
  if (target === 'MASQUERADE' || target === 'MARK' || target === 'KUBE-MARK-MASQ') return colours.snat
  if (target === 'DROP' || target === 'REJECT') return colours.bad
  return target === 'ACCEPT' || target === 'RETURN' ? colours.good : colours.name
}

function pad(line: string): string {
  return ' '.repeat(indent) + line
}
