import type { NftTable } from './table.js'
import { fullSync, nothing } from './transactions.js'

/** The text for `nft -f` that brings an empty namespace to what the first sync of kube-proxy leaves there. */
export function renderTable(table: NftTable): string {
  return fullSync(table, nothing).text
}
