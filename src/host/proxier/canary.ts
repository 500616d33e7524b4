import { baseChain } from '../../proxy/iptables/chainNames.js'
import { until } from '../until.js'
import type { NodeTables } from './nodeTables.js'

/** How long and how often the other tables are checked for the rest of a flush. */
const patienceMs = 5000
const lookEveryMs = 100

/**
 * Whether the tables were flushed: the canary chain is missing in mangle. Returns when it is missing in the other tables
 * too, or after five seconds: rules that are written during a flush would be flushed too.
 */
export async function canaryIsGone(tables: NodeTables): Promise<boolean> {
  if ((await tables.chain('mangle', baseChain.canary)) !== 'absent') return false
  await until(async () => !(await someCanary(tables)), { patienceMs, everyMs: lookEveryMs })
  return true
}

async function someCanary(tables: NodeTables): Promise<boolean> {
  for (const table of ['nat', 'filter']) {
    if ((await tables.chain(table, baseChain.canary)) === 'present') return true
  }
  return false
}
