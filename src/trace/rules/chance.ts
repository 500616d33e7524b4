import type { Rule } from '../../netfilter/rules/model.js'

/** The probability of a rule's random choices; undefined for a rule without one. */
export function chanceOf(rule: Rule): number | undefined {
  let chance: number | undefined
  for (const match of rule.matches) {
    if (match.kind !== 'statistic' || match.mode !== 'random' || match.probability === undefined) continue
    const { value, negated } = match.probability
    chance = (chance ?? 1) * (negated === true ? 1 - value : value)
  }
  return chance
}

/** A probability for people: `1/3`, `2/3`, `41.7 %`. */
export function probabilityText(probability: number): string {
  if (probability > 1 - 1e-6) return '1'
  for (let of = 2; of <= 1000; of++) {
    const part = Math.round(probability * of)
    if (part > 0 && Math.abs(part / of - probability) < 1e-7) return `${part}/${of}`
  }
  return `${(probability * 100).toFixed(1)} %`
}
