import { parseRule } from '../../../netfilter/rules/parse.js'
import { targetName } from '../../../netfilter/rules/model.js'
import type { SavedRule, SavedTable } from '../../../netfilter/save.js'

/** The table whose built-in chains these are; undefined if none of them is built in. */
export function tableOfChains(names: ReadonlySet<string>): string | undefined {
  const has = (name: string) => names.has(name)
  if (has('FORWARD')) return has('PREROUTING') || has('POSTROUTING') ? 'mangle' : 'filter'
  if (has('POSTROUTING')) return 'nat'
  if (has('PREROUTING')) return has('INPUT') ? 'nat' : 'raw'
  if (has('INPUT')) return 'filter'
  return undefined
}

const natChain =
  /^(?:KUBE-(?:SVC|SEP|EXT|XLB|SVL|FW|MARK|POSTROUTING|LOAD-BALANCER|NODE-PORT$|HP)|CNI-|POSTROUTING|FLANNEL-POSTRTG)/
const filterChain =
  /^(?:KUBE-(?:FORWARD|EXTERNAL-SERVICES|FIREWALL|PROXY-FIREWALL|NWPLCY|CNPLCY|POD-FW|ROUTER)|FORWARD|INPUT|FLANNEL-FWD|CILIUM_FORWARD)/
const natTarget = new Set(['DNAT', 'SNAT', 'MASQUERADE', 'REDIRECT'])

/** The table that only a rule like this one can be in, by its chain and target; undefined if several can have it. */
export function tableOfRule({ chain, spec }: Pick<SavedRule, 'chain' | 'spec'>): string | undefined {
  const target = targetName(parseRule(spec)) ?? ''
  if (natTarget.has(target) || natChain.test(target) || natChain.test(chain)) return 'nat'
  if (target === 'REJECT' || filterChain.test(target) || filterChain.test(chain)) return 'filter'
  if (target === 'NOTRACK' || target === 'CT') return 'raw'
  if (chain === 'PREROUTING' && target.startsWith('KUBE-')) return 'nat'
  if (chain === 'KUBE-NODEPORTS' && target === 'ACCEPT') return 'filter'
  return undefined
}

/** Rules whose table is not shown, by the tables that they can only be in; and the others. */
export function byTable(rules: readonly SavedRule[]): {
  readonly tables: readonly SavedTable[]
  readonly others: readonly SavedRule[]
} {
  const tables = new Map<string, SavedTable>()
  const others: SavedRule[] = []
  for (const rule of rules) {
    const table = tableOfRule(rule)
    if (table === undefined) {
      others.push(rule)
      continue
    }
    const own = tables.get(table) ?? { table, chains: [], rules: [] }
    own.rules.push(rule)
    tables.set(table, own)
  }
  return { tables: [...tables.values()], others }
}
