import { askedIn, type TracedRule } from '../../netfilter/nftTrace.js'
import type { PacketHeader } from '../../netfilter/trace/header.js'

/** A rule that had an effect, or an element that matched, in a chain, set or map. */
export interface ActingRule {
  readonly chain: string
  /** As nft lists it; an element without its comment. */
  readonly spec: string
}

/**
 * Of the rules that packets of one node and family met in a step, those that had an effect, and the elements that they
 * matched: a jump has the effect of its chain.
 */
export function whatActsInNft(met: readonly TracedRule[]): readonly ActingRule[] {
  const chains = new Map<string, TracedRule[]>()
  for (const rule of met) chains.set(rule.chain, [...(chains.get(rule.chain) ?? []), rule])
  const known = new Map<string, boolean>()
  const chainActs = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    // kube-proxy's chains have no cycles
    const acts = (chains.get(name) ?? []).some(ruleActs)
    known.set(name, acts)
    return acts
  }
  const ruleActs = ({ verdict }: TracedRule): boolean =>
    verdict?.chain === undefined || chainActs(verdict.chain)
  return met.filter(ruleActs).flatMap(({ chain, rule, verdict, header }) => [
    { chain, spec: rule },
    ...askedIn(rule).flatMap((container) => {
      const key = header && keyIn(container, header)
      if (key === undefined) return []
      const { kind = '', chain: target } = verdict ?? {}
      const value = target === undefined ? kind : `${kind} ${target}`
      return [{ chain: container, spec: rule.includes(`vmap @${container}`) ? `${key} : ${value}` : key }]
    }),
  ])
}

/** The key of a packet in a set or map of kube-proxy. */
function keyIn(container: string, { protocol, source, destination }: PacketHeader): string | undefined {
  const port = destination.port === undefined ? undefined : `${protocol} . ${destination.port}`
  switch (container) {
    case 'cluster-ips':
    case 'nodeport-ips':
      return destination.address
    case 'service-nodeports':
    case 'no-endpoint-nodeports':
      return port
    case 'service-ips':
    case 'no-endpoint-services':
    case 'firewall-ips':
      return port && `${destination.address} . ${port}`
    case 'hairpin-connections':
      return port && `${source.address} . ${destination.address} . ${port}`
    default:
      return undefined
  }
}
