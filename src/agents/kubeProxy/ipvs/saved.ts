import type { SavedTable } from '../../../netfilter/save.js'
import { savedTable } from '../iptables/saved.js'
import type { IpvsState } from './types.js'

/** Expected iptables-save output after loading the rules into an empty namespace: nat and filter. */
export function ipvsSaved(state: IpvsState): SavedTable[] {
  return (['nat', 'filter'] as const).map((table) =>
    savedTable(table, state[table].chains, state[table].rules, state),
  )
}
