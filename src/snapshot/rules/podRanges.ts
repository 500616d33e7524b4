import { nftChain } from '../../agents/kubeProxy/nftables/chainNames.js'
import { groupBy } from '../../groupBy.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import type { NftRuleset } from '../model/nft.js'
import type { RuleTables } from '../model/state.js'

/** The rules of a node. */
interface NodeRules {
  readonly rules?: Readonly<Partial<Record<IpFamily, RuleTables>>> | undefined
  readonly nft?: NftRuleset | undefined
}

/**
 * The range in which kube-proxy looks for pods, by family: that of `! -s RANGE -d … -j KUBE-MARK-MASQ`, and of `ip saddr != RANGE` in
 * mode nftables. Of several, the one that most rules have.
 */
export function podRanges({ rules = {}, nft }: NodeRules): ReadonlyMap<IpFamily, string> {
  const inIptables = Object.values(rules).flatMap((tables) =>
    [...(tables.get('nat') ?? [])].flatMap(([chain, own]) =>
      own.rules.flatMap(({ rule: { target, source } }) => {
        const isMark = target?.kind === 'jump' && target.chain === 'KUBE-MARK-MASQ'
        const isOfService = isMark && /^KUBE-(SVC|SVL|EXT|SERVICES)/.test(chain)
        return isOfService && source?.negated === true ? [source.value] : []
      }),
    ),
  )
  const inNft = (nft?.tables ?? []).flatMap(({ name, chains }) =>
    (name === 'kube-proxy' ? (chains.get(nftChain.services)?.rules ?? []) : []).flatMap(
      ({ spec }) => /@cluster-ips ip6? saddr != (\S+) /.exec(spec)?.[1] ?? [],
    ),
  )
  const known = new Map<IpFamily, string>()
  const byRange = [...groupBy([...inIptables, ...inNft], (range) => range).values()]
  for (const [range] of byRange.toSorted((a, b) => a.length - b.length))
    if (range !== undefined) known.set(familyOf(range), range)
  return known
}
