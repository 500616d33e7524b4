import type { NftTable } from './table.js'
import { fullSync, nothing } from './transactions.js'

/** Input of `nft -f` that produces the state after kube-proxy's first sync in an empty namespace. */
export function renderTable(table: NftTable): string {
  return fullSync(table, nothing).text
}
