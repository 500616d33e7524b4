import type { WithheldRule } from '../iptables/withheld.js'

/** Input of `nft -f` without a rule or element; unchanged if it is of another node or family, or not in it. */
export function withholdNft(
  text: string,
  rule: WithheldRule | undefined,
  { node, family }: Pick<WithheldRule, 'node' | 'family'>,
): string {
  if (rule?.node !== node || rule.family !== family) return text
  const left = new Set([rule.line, deletionOf(rule.line)])
  return text
    .split('\n')
    .filter((line) => !left.has(line))
    .join('\n')
}

/** An element that was never added cannot be deleted. */
function deletionOf(line: string): string | undefined {
  const [, container, key] =
    /^add element (\S+ \S+ \S+) \{ (.*?)(?: comment "[^"]*")?(?: : .*)? \}$/.exec(line) ?? []
  return container === undefined ? undefined : `delete element ${container} { ${key} }`
}
