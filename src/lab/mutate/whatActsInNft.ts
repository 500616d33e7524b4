import { askedIn, type TracedHeader, type TracedRule } from '../../netfilter/nftTrace.js'

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
  const ruleActs = ({ verdict }: TracedRule): boolean => {
    const target = /^(?:jump|goto) (.*)$/.exec(verdict)?.[1]
    return target === undefined || chainActs(target)
  }
  return met.filter(ruleActs).flatMap(({ chain, rule, verdict, header }) => [
    { chain, spec: rule },
    ...askedIn(rule).flatMap((container) => {
      const key = header && keyIn(container, header)
      if (key === undefined) return []
      return [{ chain: container, spec: rule.includes(`vmap @${container}`) ? `${key} : ${verdict}` : key }]
    }),
  ])
}

/** The key of a packet in a set or map of kube-proxy. */
function keyIn(container: string, { source, destination, transport }: TracedHeader): string | undefined {
  const port = transport && `${transport.protocol} . ${transport.port}`
  switch (container) {
    case 'cluster-ips':
    case 'nodeport-ips':
      return destination
    case 'service-nodeports':
    case 'no-endpoint-nodeports':
      return port
    case 'service-ips':
    case 'no-endpoint-services':
    case 'firewall-ips':
      return port && `${destination} . ${port}`
    case 'hairpin-connections':
      return port && `${source} . ${destination} . ${port}`
    default:
      return undefined
  }
}
