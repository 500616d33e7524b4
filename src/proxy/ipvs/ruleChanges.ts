import type { SavedTable } from '../../netfilter/save.js'
import { savedSpec } from '../iptables/savedRule.js'
import { ipvsRestore } from './restore.js'
import { ipvsSaved } from './saved.js'
import type { IpvsState } from './types.js'

/**
 * What iptables-restore reads to turn the rules that stand into those that are wanted; nothing where they are as they
 * should be. kube-proxy writes its rules with every sync, and so sets counters to nought; here they go on counting.
 */
export function ruleChanges(found: readonly SavedTable[], state: IpvsState): string {
  const rulesOf = (tables: readonly SavedTable[], table: string, chain: string) =>
    tables
      .find((one) => one.table === table)
      ?.rules.filter((rule) => rule.chain === chain)
      .map(({ spec }) => spec) ?? []
  const hasChain = (table: string, chain: string) =>
    found.some((one) => one.table === table && one.chains.some(({ name }) => name === chain))
  const missing = state.jumps.filter(
    (jump) => !rulesOf(found, jump.table, jump.chain).includes(savedSpec(jump, state.family)),
  )
  const wanted = ipvsSaved(state)
  const stands = (['nat', 'filter'] as const).every((table) =>
    state[table].chains.every(
      (chain) =>
        hasChain(table, chain) &&
        rulesOf(found, table, chain).join('\n') === rulesOf(wanted, table, chain).join('\n'),
    ),
  )
  return stands && missing.length === 0 ? '' : ipvsRestore({ ...state, jumps: missing })
}
