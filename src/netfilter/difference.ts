import { chainOwners, isKubeProxyChain, isServicePortChain, servicePortName } from './chainOwners.js'
import { isDispatchChain, servicePortOf } from './compare.js'
import { groupBy } from '../groupBy.js'
import { matchRules } from './matchRules.js'
import { targetName } from './rules/model.js'
import { typedTable, type TypedRule, type TypedTable } from './rules/typedTable.js'
import { ruleText, type SavedRule, type SavedTable } from './save.js'

/** One difference between a saved ruleset and what kube-proxy should have written. */
export interface Difference {
  readonly kind:
    'missingTable' | 'missingChain' | 'staleChain' | 'missingRule' | 'extraRule' | 'differentRule' | 'order'
  readonly table: string
  readonly chain: string
  /** `namespace/name:port` of the affected service port; undefined for what every node has. */
  readonly servicePort?: string
  /** The expected rule, as iptables-save prints it. */
  readonly expected?: string
  /** The actual rule. */
  readonly actual?: string
  /** Line of the saved text, and its file if there can be several. */
  readonly line?: number
  readonly file?: string
  /** How many rules the missing or stale chain has. */
  readonly rules?: number
}

/**
 * Compares what kube-proxy should have written with a saved ruleset of a node. Only kube-proxy's own chains and the
 * jumps to them are compared: other programs' tables, chains and rules are ignored, and so are kubelet's.
 */
export function compareRulesets(shouldBe: readonly SavedTable[], saved: readonly SavedTable[]): Difference[] {
  const expected = shouldBe.map(typedTable)
  const actual = saved.map(typedTable)
  const owners = new Map([...chainOwners(actual), ...chainOwners(expected)])
  return expected.flatMap((table) => {
    const found = actual.find((one) => one.table === table.table)
    if (found) return compareTable(table, found, owners)
    // In mangle kube-proxy has only a canary, which dumps made table by table seldom include.
    return table.table === 'mangle' ? [] : [{ kind: 'missingTable', table: table.table, chain: '' }]
  })
}

/** A chain of a table, and the service ports of chains. */
interface Place {
  readonly table: string
  readonly chain: string
  readonly owners: ReadonlyMap<string, string>
}

function compareTable(
  expected: TypedTable,
  actual: TypedTable,
  owners: ReadonlyMap<string, string>,
): Difference[] {
  const { table } = expected
  const shouldBe = rulesByChain(expected)
  const are = rulesByChain(actual)
  const differences: Difference[] = []
  for (const [chain, rules] of shouldBe) {
    const place = { table, chain, owners }
    const found = are.get(chain)
    if (found) differences.push(...compareChain(place, rules, found))
    else if (isKubeProxyChain(chain)) differences.push(wholeChain('missingChain', place, rules))
  }
  for (const [chain, rules] of are) {
    if (isKubeProxyChain(chain) && !shouldBe.has(chain))
      differences.push(wholeChain('staleChain', { table, chain, owners }, rules))
  }
  return differences
}

type Compare = (place: Place, expected: readonly TypedRule[], actual: readonly TypedRule[]) => Difference[]

const compareChain: Compare = (place, expected, actual) => {
  const { table, chain } = place
  if (isKubeProxyChain(chain))
    return (isDispatchChain(table, chain) ? compareDispatchChain : compareRules)(place, expected, actual)
  // kubelet writes KUBE-FIREWALL too: kube-proxy's rules must be there, all others are kubelet's.
  if (chain === 'KUBE-FIREWALL')
    return compareRules(place, expected, actual).filter(({ kind }) => kind === 'missingRule')
  return compareJumps(place, expected, actual)
}

/** A built-in chain: compares only the jumps to kube-proxy's chains; other programs' rules may be before and between. */
const compareJumps: Compare = (place, expected, actual) => {
  const toKubeProxy = ({ rule }: TypedRule) => isKubeProxyChain(targetName(rule) ?? '')
  // kubelet may have added this jump first; then it is last, which kube-proxy accepts.
  const toFirewall = ({ rule }: TypedRule) => targetName(rule) === 'KUBE-FIREWALL'
  return [toFirewall, toKubeProxy].flatMap((counts) =>
    compareRules(place, expected.filter(counts), actual.filter(counts)),
  )
}

/** A chain that dispatches to Services: the blocks of service ports may be in any order, the rest comes last. */
const compareDispatchChain: Compare = (place, expected, actual) => {
  const shouldBe = groupBy(expected, ({ rule }) => servicePortOf(rule))
  const are = groupBy(actual, ({ rule }) => servicePortOf(rule))
  const keys = new Set([...shouldBe.keys(), ...are.keys()])
  const differences = [...keys].flatMap((key) => {
    const found = compareRules(place, shouldBe.get(key) ?? [], are.get(key) ?? [])
    // Jumps to node ports, one for each address, may be in any order.
    return key === undefined ? found.filter(({ kind }) => kind !== 'order') : found
  })
  const firstLast = actual.findIndex(({ rule }) => servicePortOf(rule) === undefined)
  const after =
    firstLast < 0 ? undefined : actual.slice(firstLast).find(({ rule }) => servicePortOf(rule) !== undefined)
  if (after) differences.push({ kind: 'order', ...about(place, after), ...found(after) })
  return differences
}

const compareRules: Compare = (place, expected, actual) => {
  const differences = matchRules(expected, actual, isServicePortChain(place.chain))
  const first = actual[0]
  return [
    ...differences.missing.map((rule): Difference => ({
      kind: 'missingRule',
      ...about(place, rule),
      ...wanted(rule),
    })),
    ...differences.different.map((pair): Difference => ({
      kind: 'differentRule',
      ...about(place, pair.expected),
      ...wanted(pair.expected),
      ...found(pair.actual),
    })),
    ...differences.extra.map((rule): Difference => ({
      kind: 'extraRule',
      ...about(place, rule),
      ...found(rule),
    })),
    ...(differences.reordered && first
      ? [{ kind: 'order', ...about(place, first), ...lineOf(first) } as const]
      : []),
  ]
}

function wholeChain(
  kind: 'missingChain' | 'staleChain',
  { table, chain, owners }: Place,
  rules: readonly TypedRule[],
): Difference {
  const servicePort = owners.get(chain)
  return { kind, table, chain, rules: rules.length, ...(servicePort === undefined ? {} : { servicePort }) }
}

function about({ table, chain, owners }: Place, { rule }: TypedRule) {
  const servicePort = owners.get(chain) ?? servicePortName(rule)
  return { table, chain, ...(servicePort === undefined ? {} : { servicePort }) }
}

function wanted(rule: SavedRule): { expected: string } {
  return { expected: ruleText(rule) }
}

function found(rule: SavedRule): Pick<Difference, 'line' | 'file'> & { actual: string } {
  return { actual: ruleText(rule), ...lineOf(rule) }
}

function lineOf({ line, file }: SavedRule): Pick<Difference, 'line' | 'file'> {
  return { ...(line !== undefined && { line }), ...(file !== undefined && { file }) }
}

function rulesByChain({ chains, rules }: TypedTable): ReadonlyMap<string, readonly TypedRule[]> {
  const byChain = new Map<string, TypedRule[]>(chains.map(({ name }) => [name, []]))
  for (const rule of rules) byChain.get(rule.chain)?.push(rule)
  return byChain
}
