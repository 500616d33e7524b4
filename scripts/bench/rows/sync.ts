import { rootless } from '../namespaces.js'
import type { Row } from '../row.js'
import { syncRow } from '../syncRow.js'

/** Mode iptables in a lab that is up. */
export const sync: Row = syncRow({
  name: 'sync',
  mode: 'iptables',
  what: '',
  // net.core.wmem_default bounds what iptables-nft can send in one piece there
  rootless: rootless ? 'without root one commit takes no more than about 500 rules' : undefined,
  most: 100,
})
