import { isGlob } from '../../../netfilter/glob.js'
import { parseRule } from '../../../netfilter/rules/parse.js'
import { specOf } from '../../../netfilter/save.js'
import type { RuleCount } from '../../../netfilter/types.js'

/** How many packets the rules of one chain matched. */
export interface ChainCount {
  readonly table: string
  readonly chain: string
  readonly packets: number
}

/**
 * The packets of each chain: the sum over its rules. iptables-save lists no rule for an empty chain; it is known from the
 * rules that jump to it, with 0 packets.
 */
export function chainCounts(counts: readonly RuleCount[]): ChainCount[] {
  const own = new Map<string, ChainCount>()
  const targets = new Map<string, ChainCount>()
  for (const count of counts) {
    const { table, chain, packets } = count
    add(own, { table, chain, packets })
    const { target } = parseRule(specOf(count))
    if (target?.kind === 'jump' || target?.kind === 'goto')
      add(targets, { table, chain: target.chain, packets: 0 })
  }
  const empty = [...targets].filter(([key]) => !own.has(key)).map(([, count]) => count)
  return [...own.values(), ...empty]
}

/** The chains that a pattern names: `KUBE-SVC-*`; `filter/KUBE-SERVICES`, in one table only; `service-*` of nft. */
export function matchingChains(pattern: string, chains: readonly ChainCount[]): ChainCount[] {
  // names of mode nftables contain slashes
  const withTable = pattern.includes('/')
  return chains.filter(
    ({ table, chain }) => isGlob(pattern, chain) || (withTable && isGlob(pattern, `${table}/${chain}`)),
  )
}

function add(into: Map<string, ChainCount>, count: ChainCount): void {
  const key = `${count.table}/${count.chain}`
  const before = into.get(key)
  into.set(key, { ...count, packets: count.packets + (before?.packets ?? 0) })
}
