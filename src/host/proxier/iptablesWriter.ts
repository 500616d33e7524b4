import type { IpFamily } from '../../net/ipFamily.js'
import { buildRuleset, updateRuleset, type Ruleset } from '../../proxy/iptables/ruleset.js'
import { canaryIsGone } from './canary.js'
import type { NodeTables } from './nodeTables.js'
import type { RuleWriter } from './ruleWriter.js'
import { syncRules } from './syncRules.js'

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
    spared: ({ context }) => context.largeCluster,
    flushed: () => canaryIsGone(tables),
  }
}
