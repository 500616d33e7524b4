import type { IpFamily } from '../../../net/ipFamily.js'
import type { Negatable } from '../../../netfilter/rules/option.js'
import { renderRule } from '../../../netfilter/rules/render.js'
import { savedProbability } from './probability.js'
import type { Match, Rule as NetfilterRule } from '../../../netfilter/rules/model.js'
import type { Rule } from './rule.js'

/** A rule as iptables-save prints it, without `-A CHAIN` (verified against iptables 1.8.9, nft and legacy). */
export function savedSpec(rule: Rule<string>, family: IpFamily): string {
  return renderRule(savedRule(rule, family))
}

/** What a rule is once it is in the kernel: addresses with prefix lengths, values that were left out filled in. */
export function savedRule(rule: Rule<string>, family: IpFamily): NetfilterRule {
  const { protocol, inInterface, matches, target } = rule
  const source = savedNetwork(rule.source, family)
  const destination = savedNetwork(rule.destination, family)
  return {
    ...(source && { source }),
    ...(destination && { destination }),
    ...(inInterface && { inInterface }),
    ...(protocol && { protocol }),
    matches: matches.map((match) => savedMatch(match, family)),
    ...(target && { target }),
  }
}

/** A network that contains every address is not printed. */
function savedNetwork(
  network: Negatable<string> | undefined,
  family: IpFamily,
): Negatable<string> | undefined {
  if (network === undefined) return undefined
  const { value, negated } = network
  if (value.includes('/')) return value.endsWith('/0') && negated !== true ? undefined : network
  return { ...network, value: `${value}/${family === 'IPv4' ? 32 : 128}` }
}

function savedMatch(match: Match, family: IpFamily): Match {
  switch (match.kind) {
    case 'statistic':
      return { ...match, probability: { value: savedProbability(match.probability?.value ?? 0) } }
    case 'recent': {
      const mask = family === 'IPv4' ? '255.255.255.255' : 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
      return { ...match, mask, rsource: true }
    }
    default:
      return match
  }
}
