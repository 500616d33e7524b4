import { rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { syncRow } from '../syncRow.js'

/** Mode nftables in a running lab. */
export const syncNft: Row = syncRow({
  name: 'sync-nft',
  mode: 'nftables',
  what: ' in nftables mode',
  rootless: rootless ? 'without root one commit is limited by the socket buffer' : undefined,
  most: 50,
})
