import { rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { syncRow } from '../syncRow.js'

/** Mode iptables in a running lab. */
export const sync: Row = syncRow({
  name: 'sync',
  mode: 'iptables',
  what: '',
  // net.core.wmem_default limits what iptables-nft can send at once without root
  rootless: rootless ? 'without root one commit is limited to about 500 rules' : undefined,
  most: 100,
})
