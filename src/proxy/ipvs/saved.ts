import type { SavedRule, SavedTable } from '../../netfilter/save.js'
import { savedSpec } from '../iptables/savedRule.js'
import type { IpvsState } from './types.js'

const builtInChains = {
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
} as const

/** What iptables-save would print after the rules were loaded into an empty namespace: nat and filter. */
export function ipvsSaved(state: IpvsState): SavedTable[] {
  return (['nat', 'filter'] as const).map((table) => {
    const { chains, rules } = state[table]
    const own = [...chains].sort()
    const byChain = new Map<string, SavedRule[]>(
      [...builtInChains[table], ...own].map((chain) => [chain, []]),
    )
    for (const jump of state.jumps)
      if (jump.table === table)
        byChain.get(jump.chain)?.unshift({ chain: jump.chain, spec: savedSpec(jump, state.family) })
    for (const rule of rules)
      byChain.get(rule.chain)?.push({ chain: rule.chain, spec: savedSpec(rule, state.family) })
    return {
      table,
      chains: [
        ...builtInChains[table].map((name) => ({ name, policy: 'ACCEPT', packets: 0, bytes: 0 })),
        ...own.map((name) => ({ name, policy: '-', packets: 0, bytes: 0 })),
      ],
      rules: [...byChain.values()].flat(),
    }
  })
}
