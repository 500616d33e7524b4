import type { PolicyChainRule, PolicySet } from './policyChains.js'
import type { NodeTables } from './state.js'

/** How the text of one backend has the rules and sets of the agent. */
export interface Backend<Rule = PolicyChainRule> {
  /** The lines of a rule, without its chain. */
  readonly linesOf: (rule: Rule) => readonly string[]
  readonly entriesOf: (set: PolicySet) => ReadonlySet<string>
}

/** A set that is new, or whose entries differ. */
export interface SetChange {
  readonly name: string
  readonly set: PolicySet
  readonly isNew: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** What differs between the tables of a node. */
export interface TableChanges<Rule = PolicyChainRule> {
  readonly sets: readonly SetChange[]
  readonly goneSets: readonly string[]
  /** Chains that are new, or whose rules differ, with all their rules. */
  readonly chains: readonly {
    readonly name: string
    readonly rules: readonly Rule[]
    readonly isNew: boolean
  }[]
  readonly goneChains: readonly string[]
}

type Sets = NodeTables['policies']['sets']
type Chains<Rule> = ReadonlyMap<string, readonly Rule[]>

const none = new Map<string, never>()

/** Compares what policies have on a node, and `chainsOf` what the node has besides; undefined has nothing. */
export function tableChanges<Rule>(
  before: NodeTables | undefined,
  after: NodeTables | undefined,
  chainsOf: (tables: NodeTables) => Chains<Rule | PolicyChainRule>,
  backend: Backend<Rule | PolicyChainRule>,
): TableChanges<Rule | PolicyChainRule> {
  const [old, now] = [before?.policies, after?.policies]
  const parts = [
    ...(old === now ? [] : [chainChanges(old?.chains ?? none, now?.chains ?? none, backend)]),
    chainChanges(before ? chainsOf(before) : none, after ? chainsOf(after) : none, backend),
  ]
  return {
    ...(old === now ? { sets: [], goneSets: [] } : setChanges(old?.sets ?? none, now?.sets ?? none, backend)),
    chains: parts.flatMap(({ changed }) => changed),
    goneChains: parts.flatMap(({ gone }) => gone),
  }
}

function setChanges(old: Sets, now: Sets, { entriesOf }: Backend): Pick<TableChanges, 'sets' | 'goneSets'> {
  const sets = [...now].flatMap(([name, set]): SetChange[] => {
    const known = old.get(name)
    if (set === known) return []
    const [was, is] = [known && entriesOf(known), entriesOf(set)]
    const added = [...is].filter((entry) => was?.has(entry) !== true)
    const removed = [...(was ?? [])].filter((entry) => !is.has(entry))
    const isNew = known === undefined
    return isNew || added.length + removed.length > 0 ? [{ name, set, isNew, added, removed }] : []
  })
  return { sets, goneSets: [...old.keys()].filter((name) => !now.has(name)) }
}

function chainChanges<Rule>(old: Chains<Rule>, now: Chains<Rule>, { linesOf }: Backend<Rule>) {
  const changed = [...now].flatMap(([name, rules]) => {
    const known = old.get(name)
    if (known === rules) return []
    return known !== undefined && isSame(known.flatMap(linesOf), rules.flatMap(linesOf))
      ? []
      : [{ name, rules, isNew: known === undefined }]
  })
  return { changed, gone: [...old.keys()].filter((name) => !now.has(name)) }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index])
}
