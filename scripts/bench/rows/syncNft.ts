import { rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { syncRow } from '../syncRow.js'

/** Mode nftables in a lab that is up. */
export const syncNft: Row = syncRow({
  name: 'sync-nft',
  mode: 'nftables',
  what: ' in nftables mode',
  rootless: rootless ? 'without root one commit takes no more than the socket buffer holds' : undefined,
  most: 50,
})
