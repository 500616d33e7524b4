import { baseChain } from '../../proxy/iptables/chainNames.js'
import { until } from '../until.js'
import type { NodeTables } from './nodeTables.js'

/** How long and how often is looked whether the rest of a flush has come through. */
const patienceMs = 5000
const lookEveryMs = 100

/**
 * Whether somebody flushed the tables: the canary chain is gone from mangle. Returns when it is gone from the other
 * tables too, or after five seconds: rules that are written during a flush would go with it.
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
