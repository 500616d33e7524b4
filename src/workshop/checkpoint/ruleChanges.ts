import { parseSave, type SavedTable } from '../../netfilter/save.js'

/**
 * The input of `iptables-restore --noflush` that makes the chains of other programs in `present` those of `wanted`, both as
 * iptables-save prints them; empty if there is no difference. Chains of kube-proxy (`KUBE-`) stay as they are.
 */
export function ruleChanges(wanted: string, present: string): string {
  const now = tablesIn(present)
  const then = tablesIn(wanted)
  return [...new Set([...then.keys(), ...now.keys()])]
    .map((name) => tableChanges(then.get(name) ?? emptied(now.get(name)), now.get(name)))
    .join('')
}

/** A namespace without rules has no table, and then the text is empty. */
function tablesIn(text: string): ReadonlyMap<string, SavedTable> {
  const isEmpty = !/^\*/m.test(text)
  return new Map(isEmpty ? [] : parseSave(text).map((table) => [table.table, table]))
}

/** A table that did not exist: its built-in chains accept. */
function emptied(table: SavedTable | undefined): SavedTable {
  const chains = (table?.chains ?? []).filter(({ policy }) => policy !== '-')
  return {
    table: table?.table ?? '',
    chains: chains.map((chain) => ({ ...chain, policy: 'ACCEPT' })),
    rules: [],
  }
}

function tableChanges(wanted: SavedTable, present: SavedTable | undefined): string {
  const chainsNow = new Map((present?.chains ?? []).map((chain) => [chain.name, chain]))
  const rulesOf = (table: SavedTable | undefined, chain: string) =>
    (table?.rules ?? []).filter((rule) => rule.chain === chain).map(({ spec }) => spec)
  const changed = wanted.chains.filter(({ name, policy }) => {
    if (name.startsWith('KUBE-')) return false
    const before = chainsNow.get(name)
    const isSame =
      before?.policy === policy && String(rulesOf(present, name)) === String(rulesOf(wanted, name))
    return (
      !isSame &&
      (before !== undefined || policy === '-' || policy !== 'ACCEPT' || rulesOf(wanted, name).length > 0)
    )
  })
  const gone = [...chainsNow.values()].filter(
    ({ name, policy }) =>
      policy === '-' && !name.startsWith('KUBE-') && !wanted.chains.some((chain) => chain.name === name),
  )
  if (changed.length + gone.length === 0) return ''
  return [
    `*${wanted.table}`,
    ...changed.map(({ name, policy }) => `:${name} ${policy} [0:0]`),
    ...changed.map(({ name }) => `-F ${name}`),
    ...gone.map(({ name }) => `-F ${name}`),
    ...changed.flatMap(({ name }) => rulesOf(wanted, name).map((spec) => `-A ${name} ${spec}`)),
    ...gone.map(({ name }) => `-X ${name}`),
    'COMMIT\n',
  ].join('\n')
}
