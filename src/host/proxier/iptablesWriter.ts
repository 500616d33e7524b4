import type { IpFamily } from '../../net/ipFamily.js'
import { buildRuleset, updateRuleset, type Ruleset } from '../../agents/kubeProxy/iptables/ruleset.js'
import type { NodeTables } from './nodeTables.js'
import type { RuleWriter } from './ruleWriter.js'
import { syncRules } from './syncRules.js'
import { baseChain } from '../../agents/kubeProxy/iptables/chainNames.js'
import { has } from '../../agents/kubeProxy/versions/features.js'
import { until } from '../until.js'

/** How long and how often the other tables are checked for the rest of a flush. */
const patienceMs = 5000
const lookEveryMs = 100

/**
 * Whether the tables were flushed: the canary chain is missing in mangle. Returns when it is missing in the other tables
 * too, or after five seconds: rules that are written during a flush would be flushed too.
 */
async function canaryIsGone(tables: NodeTables): Promise<boolean> {
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

export interface IptablesWriterOptions {
  readonly tables: NodeTables
  readonly family: IpFamily
  readonly syncPeriodMs: number
  /** When unused chains were last removed. */
  readonly lastCleanup: number
}

/** Writes rules as mode iptables does; mirrors pkg/proxy/iptables. */
export function iptablesWriter(options: IptablesWriterOptions): RuleWriter<Ruleset> {
  const { tables, family, syncPeriodMs } = options
  let { lastCleanup } = options
  return {
    build: (input) => buildRuleset(input, family),
    async write({ before, next, changes, now }) {
      const after =
        before === undefined ? buildRuleset(next, family) : updateRuleset(before, next, changes.services)
      const removeStale = !after.context.largeCluster || now - lastCleanup > syncPeriodMs
      if (removeStale) lastCleanup = now
      return { after, ...(await syncRules(tables, { before, after, changes, removeStale })) }
    },
    // not for a large cluster: its full sync would take seconds
    spared: ({ context: { version, largeCluster } }) =>
      has(version, 'neverSyncsAll') || (largeCluster && has(version, 'sparesLargeClusters')),
    flushed: () => canaryIsGone(tables),
  }
}
