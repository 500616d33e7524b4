import { chainOwners, isKubeProxyChain, isServicePortChain, servicePortName } from './chainOwners.js'
import { isDispatchChain, servicePortOf } from './compare.js'
import { groupBy } from '../groupBy.js'
import { matchRules } from './matchRules.js'
import { targetName } from './rules/model.js'
import { typedTable, type TypedRule, type TypedTable } from './rules/typedTable.js'
import { ruleText, type SavedRule, type SavedTable } from './save.js'

/** One way in which a saved ruleset is not what kube-proxy should have written. */
export interface Difference {
  readonly kind:
    'missingTable' | 'missingChain' | 'staleChain' | 'missingRule' | 'extraRule' | 'differentRule' | 'order'
  readonly table: string
  readonly chain: string
  /** `namespace/name:port` of the service port that it is about; undefined for what every node has. */
  readonly servicePort?: string
  /** The rule that should be, as iptables-save prints it. */
  readonly expected?: string
  /** The rule that is. */
  readonly actual?: string
  /** Line of the saved text. */
  readonly line?: number
  /** How many rules the missing or stale chain has. */
  readonly rules?: number
}

/**
 * Compares what kube-proxy should have written with a saved ruleset of a node. Only kube-proxy's own chains and the
 * jumps to them are looked at: other programs' tables, chains and rules are left alone, and so are kubelet's.
 */
export function compareRulesets(shouldBe: readonly SavedTable[], saved: readonly SavedTable[]): Difference[] {
  const expected = shouldBe.map(typedTable)
  const actual = saved.map(typedTable)
  const owners = new Map([...chainOwners(actual), ...chainOwners(expected)])
  return expected.flatMap((table) => {
    const found = actual.find((one) => one.table === table.table)
    if (found) return compareTable(table, found, owners)
    // Of mangle kube-proxy has a canary only, and a dump made table by table seldom has it.
    return table.table === 'mangle' ? [] : [{ kind: 'missingTable', table: table.table, chain: '' }]
  })
}

type Owners = ReadonlyMap<string, string>

function compareTable(expected: TypedTable, actual: TypedTable, owners: Owners): Difference[] {
  const { table } = expected
  const shouldBe = rulesByChain(expected)
  const are = rulesByChain(actual)
  const differences: Difference[] = []
  for (const [chain, rules] of shouldBe) {
    const found = are.get(chain)
    if (found) differences.push(...compareChain(table, chain, rules, found, owners))
    else if (isKubeProxyChain(chain))
      differences.push(wholeChain('missingChain', table, chain, rules, owners))
  }
  for (const [chain, rules] of are) {
    if (isKubeProxyChain(chain) && !shouldBe.has(chain)) {
      differences.push(wholeChain('staleChain', table, chain, rules, owners))
    }
  }
  return differences
}

function compareChain(
  table: string,
  chain: string,
  expected: readonly TypedRule[],
  actual: readonly TypedRule[],
  owners: Owners,
): Difference[] {
  if (isKubeProxyChain(chain)) {
    if (isDispatchChain(table, chain)) return compareDispatchChain(table, chain, expected, actual, owners)
    return compareRules(table, chain, expected, actual, owners)
  }
  // kubelet writes KUBE-FIREWALL too: what kube-proxy wants must be there, what else is there is kubelet's.
  if (chain === 'KUBE-FIREWALL') {
    return compareRules(table, chain, expected, actual, owners).filter(({ kind }) => kind === 'missingRule')
  }
  return compareJumps(table, chain, expected, actual, owners)
}

/** A built-in chain: only the jumps to kube-proxy's chains count, with other programs' rules before and between them. */
function compareJumps(
  table: string,
  chain: string,
  expected: readonly TypedRule[],
  actual: readonly TypedRule[],
  owners: Owners,
): Difference[] {
  const toKubeProxy = ({ rule }: TypedRule) => isKubeProxyChain(targetName(rule) ?? '')
  // kubelet may have made this jump first; then it stands last, which kube-proxy accepts.
  const toFirewall = ({ rule }: TypedRule) => targetName(rule) === 'KUBE-FIREWALL'
  return [
    ...compareRules(table, chain, expected.filter(toFirewall), actual.filter(toFirewall), owners),
    ...compareRules(table, chain, expected.filter(toKubeProxy), actual.filter(toKubeProxy), owners),
  ]
}

/** A chain that dispatches to Services: the blocks of service ports may stand in any order, the rest comes last. */
function compareDispatchChain(
  table: string,
  chain: string,
  expected: readonly TypedRule[],
  actual: readonly TypedRule[],
  owners: Owners,
): Difference[] {
  const shouldBe = groupBy(expected, ({ rule }) => servicePortOf(rule))
  const are = groupBy(actual, ({ rule }) => servicePortOf(rule))
  const keys = new Set([...shouldBe.keys(), ...are.keys()])
  const differences = [...keys].flatMap((key) => {
    const found = compareRules(table, chain, shouldBe.get(key) ?? [], are.get(key) ?? [], owners)
    // Jumps to node ports, one for each address, stand in any order among themselves.
    return key === undefined ? found.filter(({ kind }) => kind !== 'order') : found
  })
  const firstLast = actual.findIndex(({ rule }) => servicePortOf(rule) === undefined)
  const after =
    firstLast < 0 ? undefined : actual.slice(firstLast).find(({ rule }) => servicePortOf(rule) !== undefined)
  if (after) differences.push({ kind: 'order', table, chain, ...about(after, owners), ...found(after) })
  return differences
}

function compareRules(
  table: string,
  chain: string,
  expected: readonly TypedRule[],
  actual: readonly TypedRule[],
  owners: Owners,
): Difference[] {
  const { missing, extra, different, reordered } = matchRules(expected, actual, isServicePortChain(chain))
  const differences: Difference[] = [
    ...missing.map((rule) => ({
      kind: 'missingRule' as const,
      table,
      chain,
      ...about(rule, owners),
      ...wanted(rule),
    })),
    ...different.map((pair) => ({
      kind: 'differentRule' as const,
      table,
      chain,
      ...about(pair.expected, owners),
      ...wanted(pair.expected),
      ...found(pair.actual),
    })),
    ...extra.map((rule) => ({
      kind: 'extraRule' as const,
      table,
      chain,
      ...about(rule, owners),
      ...found(rule),
    })),
  ]
  const first = actual[0]
  if (reordered && first)
    differences.push({ kind: 'order', table, chain, ...about(first, owners), ...lineOf(first) })
  return differences
}

function wholeChain(
  kind: 'missingChain' | 'staleChain',
  table: string,
  chain: string,
  rules: readonly TypedRule[],
  owners: Owners,
): Difference {
  const servicePort = owners.get(chain)
  return { kind, table, chain, rules: rules.length, ...(servicePort === undefined ? {} : { servicePort }) }
}

function about({ chain, rule }: TypedRule, owners: Owners): { servicePort?: string } {
  const servicePort = owners.get(chain) ?? servicePortName(rule)
  return servicePort === undefined ? {} : { servicePort }
}

function wanted(rule: SavedRule): { expected: string } {
  return { expected: ruleText(rule) }
}

function found(rule: SavedRule): { actual: string; line?: number } {
  return { actual: ruleText(rule), ...lineOf(rule) }
}

function lineOf({ line }: SavedRule): { line?: number } {
  return line === undefined ? {} : { line }
}

function rulesByChain({ chains, rules }: TypedTable): ReadonlyMap<string, readonly TypedRule[]> {
  const byChain = new Map<string, TypedRule[]>(chains.map(({ name }) => [name, []]))
  for (const rule of rules) byChain.get(rule.chain)?.push(rule)
  return byChain
}
