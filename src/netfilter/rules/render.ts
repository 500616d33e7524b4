import type { Match, Rule, Target } from './model.js'
import type { Negatable } from './option.js'
import { headerTable, matchTables, targetTables, type Entry, type OptionTable } from './table.js'

/** A rule as it was read, or else as iptables-save prints it; without `-A CHAIN`. */
export function renderRule(rule: Rule): string {
  return rule.written ?? canonicalRule(rule)
}

/** A rule as iptables-save 1.8.9 prints it, even if it was read from a different text. */
export function canonicalRule(rule: Rule): string {
  let text = optionsText(headerTable, rule)
  for (const match of rule.matches) text += ` ${matchText(match)}`
  if (rule.target) text += ` ${targetText(rule.target)}`
  return text.slice(1)
}

/** A rule without its comments, as iptables-save 1.8.9 prints it. */
export function uncommentedRule(rule: Rule): string {
  return canonicalRule({ ...rule, matches: rule.matches.filter(({ kind }) => kind !== 'comment') })
}

/** A match as iptables-save 1.8.9 prints it. */
export function matchText(match: Match): string {
  return match.kind === 'unknown'
    ? match.text
    : `-m ${match.kind}${optionsText(matchTables.get(match.kind), match)}`
}

/** A target as iptables-save 1.8.9 prints it. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case 'jump':
      return `-j ${target.chain}`
    case 'goto':
      return `-g ${target.chain}`
    case 'unknown':
      return `-j ${target.name} ${target.options}`
    default:
      return `-j ${target.kind}${optionsText(targetTables.get(target.kind), target)}`
  }
}

/** Each with a space before it. */
function optionsText(table: OptionTable | undefined, fields: object): string {
  let text = ''
  for (const entry of table?.entries ?? []) {
    const field = (fields as Readonly<Record<string, unknown>>)[entry.field]
    if (field !== undefined) text += optionText(entry, field)
  }
  return text
}

function optionText({ flag, option }: Entry, field: unknown): string {
  switch (option.shape) {
    case 'flag':
      return ` ${flag}`
    case 'switch':
      return field === false ? ` ! ${flag}` : ` ${flag}`
    case 'value':
      return ` ${flag} ${option.format.print(field)}`
    case 'negatable': {
      const { value, negated } = field as Negatable<unknown>
      return `${negated === true ? ' !' : ''} ${flag} ${option.format.print(value)}`
    }
  }
}
