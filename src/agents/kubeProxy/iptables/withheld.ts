import type { IpFamily } from '../../../net/ipFamily.js'
import type { TableName } from './baseRules.js'

/** A rule that one node's kube-proxy is prevented from writing. */
export interface WithheldRule {
  readonly node: string
  readonly family: IpFamily
  /** `kube-proxy` in mode nftables. */
  readonly table: TableName | 'kube-proxy'
  /** The rule as a line of iptables-restore input (see `restoreRule`), or the rule or element as a line for `nft -f`. */
  readonly line: string
}

/** Input of iptables-restore without a rule; unchanged if the rule is of another node or family, or not in it. */
export function withhold(
  text: string,
  rule: WithheldRule | undefined,
  { node, family }: Pick<WithheldRule, 'node' | 'family'>,
): string {
  if (rule?.node !== node || rule.family !== family) return text
  let table = ''
  const kept = text.split('\n').filter((line) => {
    if (line.startsWith('*')) table = line.slice(1)
    return table !== rule.table || (line !== rule.line && line !== deletionOf(rule))
  })
  return kept.join('\n')
}

/** A rule that was never written cannot be deleted. */
function deletionOf({ line }: WithheldRule): string {
  return line.replace(/^-[AI]/, '-D')
}
