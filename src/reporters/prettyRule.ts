import { targetName } from '../netfilter/rules/model.js'
import { parseRule } from '../netfilter/rules/parse.js'
import { uncommentedRule } from '../netfilter/rules/render.js'
import type { ExplainedRule } from '../agents/kubeProxy/iptables/explained/types.js'
import type { Colours, Paint } from '../text/colour.js'
import { printable } from '../text/printable.js'
import type { RulesTexts } from './rulesTexts.js'
import { isOfIptables, optionsOf } from './ruleLines.js'
import { padStart, wrap } from '../text/textWidth.js'

/** The column of rules and reasons, after the mark and the count. */
const indent = 13

/**
 * A rule as lines of at most `width` columns: its packet count and the rule as iptables prints it, then its reason.
 * Comments are omitted, because the headings have the same names; rules that kube-proxy did not write keep theirs.
 */
export function prettyRule(
  rule: ExplainedRule,
  width: number,
  colours: Colours,
  texts: RulesTexts,
  /** Whether the heading names who wrote rules that are not kube-proxy's. */
  isNamed = false,
): string[] {
  const { state, expected, why } = rule
  const count = state === 'missing' ? texts.missing : String(rule.packets ?? '')
  const left = `${marks[state]} ${padStart(count, indent - 5)}`
  // without counts, only the indent separates a rule from the reason of the rule before
  const deeper = count === '' ? '    ' : ''
  const normal = state === 'expected' || state === 'foreign'
  const painted = normal ? (count === '0' ? colours.dim(left) : left) : colours.bad(left)
  const keep = state !== 'expected' && state !== 'missing'
  const [first = '', ...rest] = specLines(rule.spec, keep, width, colours, texts)
  const more =
    expected === undefined
      ? []
      : [texts.written, ...specLines(expected, true, width, colours, texts)].map((line) => pad(line))
  return [
    `  ${painted} ${first}`.trimEnd(),
    ...rest.map(pad),
    ...more,
    ...(state === 'foreign' && isNamed
      ? []
      : wrap(why.split(' '), width - indent - deeper.length).map((line) => pad(deeper + colours.dim(line)))),
  ]
}

const marks: Readonly<Record<ExplainedRule['state'], string>> = {
  expected: ' ',
  different: '~',
  missing: '-',
  extra: '+',
  foreign: ' ',
}

function specLines(
  spec: string,
  comments: boolean,
  width: number,
  colours: Colours,
  texts: RulesTexts,
): string[] {
  const lines = (pieces: readonly string[]) => wrap(pieces, width - indent, ' ', '  ')
  if (spec !== '' && !isOfIptables(spec)) return lines(printable(spec).split(' '))
  const rule = parseRule(spec)
  const text = comments ? spec : uncommentedRule(rule)
  if (text === '') return [colours.dim(texts.everyPacket)]
  const target = printable(targetName(rule) ?? '')
  const paint = paintOf(target, colours)
  return lines(optionsOf(text)).map((line) => line.replace(`-j ${target}`, () => `-j ${paint(target)}`))
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
