import type { SavedTable } from '../../../netfilter/save.js'
import { savedSpec } from '../iptables/savedRule.js'
import { ipvsRestore } from './restore.js'
import { ipvsSaved } from './saved.js'
import type { IpvsState } from './types.js'

/**
 * Input of iptables-restore that updates the existing rules; empty if they are already
 * correct. kube-proxy rewrites its rules with every sync, which resets counters; this keeps them.
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
  const isComplete = (['nat', 'filter'] as const).every((table) =>
    state[table].chains.every(
      (chain) =>
        hasChain(table, chain) &&
        rulesOf(found, table, chain).join('\n') === rulesOf(wanted, table, chain).join('\n'),
    ),
  )
  return isComplete && missing.length === 0 ? '' : ipvsRestore({ ...state, jumps: missing })
}
