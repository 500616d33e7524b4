import { parseSave } from '../../netfilter/save.js'
import type { Changes } from '../../agents/kubeProxy/changes.js'
import { renderChangedChains } from '../../agents/kubeProxy/iptables/changedChains.js'
import { missingFrom } from '../../agents/kubeProxy/iptables/missing.js'
import { renderSync, staleChains } from '../../agents/kubeProxy/iptables/restore.js'
import type { Ruleset } from '../../agents/kubeProxy/iptables/ruleset.js'
import type { NodeTables } from './nodeTables.js'
import { countLines, type RulesSynced } from './ruleWriter.js'

/** The change of the kernel from one ruleset to the next. */
export interface RulesSync {
  /** The rules in the kernel; undefined for a full sync. */
  readonly before: Ruleset | undefined
  readonly after: Ruleset
  readonly changes: Pick<Changes, 'services'>
  /** Whether unused chains are removed this time. */
  readonly removeStale: boolean
}

/** Writes rules, all or only the changed ones; mirrors the middle of syncProxyRules. */
export async function syncRules(
  tables: NodeTables,
  { before, after, changes, removeStale }: RulesSync,
): Promise<RulesSynced> {
  let text: string
  let stale: readonly string[] = []
  if (before === undefined) {
    if (after.nfacctCounters.length > 0) await tables.makeCounters(after.nfacctCounters)
    const all = await tables.save()
    const saved = all.includes('*') ? parseSave(all) : []
    if (removeStale) stale = staleChains(after, chainsOf(all, 'nat'))
    text = renderSync(after, { missing: missingFrom(saved, after), staleChains: stale })
  } else {
    if (removeStale) stale = staleChains(after, chainsOf(await savedOrNothing(tables), 'nat'))
    const options = { only: changes.services, staleChains: stale }
    text = bothLarge(before, after) ? renderChangedChains(before, after, options) : renderSync(after, options)
  }
  // nothing is written if no chain changes
  const error = text === '' ? undefined : await tables.restore(text)
  return {
    error,
    linesWritten: countLines(text),
    chainsDeleted: error === undefined ? stale : [],
  }
}

function bothLarge(before: Ruleset, after: Ruleset): boolean {
  return before.context.largeCluster && after.context.largeCluster
}

/** If reading fails, nothing is removed and the sync continues. */
async function savedOrNothing(tables: NodeTables): Promise<string> {
  return tables.save('nat').catch(() => '')
}

/** Names of the chains of one table; the rules, usually many more, are not parsed. */
function chainsOf(saved: string, table: string): string[] {
  const start = saved.search(new RegExp(`^\\*${table}$`, 'm'))
  if (start < 0) return []
  const end = saved.indexOf('\nCOMMIT', start)
  return [...saved.slice(start, end < 0 ? undefined : end).matchAll(/^:(\S+) /gm)].map(
    ([, name = '']) => name,
  )
}
