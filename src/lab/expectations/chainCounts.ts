import type { RuleCount } from '../../netfilter/types.js'

/** Packets that the rules of one chain counted, together. */
export interface ChainCount {
  readonly table: string
  readonly chain: string
  readonly packets: number
}

/**
 * What each chain counted: the sum over its rules. iptables-save lists no rule for an empty chain; it is known from the
 * rules that jump to it, and counted nothing.
 */
export function chainCounts(counts: readonly RuleCount[]): ChainCount[] {
  const own = new Map<string, ChainCount>()
  const targets = new Map<string, ChainCount>()
  for (const { table, chain, rule, packets } of counts) {
    add(own, { table, chain, packets })
    const target = /(?:^|\s)-[jg] (\S+)/.exec(rule)?.[1]
    // Targets that are no chains are told by their lack of a dash: DNAT, MARK, RETURN, … (chains of kube-proxy have one).
    if (target?.includes('-')) add(targets, { table, chain: target, packets: 0 })
  }
  const empty = [...targets].filter(([key]) => !own.has(key)).map(([, count]) => count)
  return [...own.values(), ...empty]
}

/** The chains that a pattern names: `KUBE-SVC-*`; `filter/KUBE-SERVICES`, in one table only; `service-*` of nft. */
export function matchingChains(pattern: string, chains: readonly ChainCount[]): ChainCount[] {
  const shape = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`)
  // names of mode nftables have slashes of their own
  const withTable = pattern.includes('/')
  return chains.filter(
    ({ table, chain }) => shape.test(chain) || (withTable && shape.test(`${table}/${chain}`)),
  )
}

function add(into: Map<string, ChainCount>, count: ChainCount): void {
  const key = `${count.table}/${count.chain}`
  const before = into.get(key)
  into.set(key, { ...count, packets: count.packets + (before?.packets ?? 0) })
}
