/** The handles of rules in the order of their chain, by `family table chain`. */
export type RuleHandles = ReadonlyMap<string, readonly number[]>

/** Reads what `nft -j list ruleset` prints. Throws SyntaxError for other text. */
export function ruleHandles(json: string): RuleHandles {
  const { nftables } = JSON.parse(json) as { readonly nftables: readonly { readonly rule?: ListedRule }[] }
  const handles = new Map<string, number[]>()
  for (const { rule } of nftables) {
    if (rule === undefined) continue
    const key = chainKey(rule)
    const own = handles.get(key)
    if (own === undefined) handles.set(key, [rule.handle])
    else own.push(rule.handle)
  }
  return handles
}

interface TracedChain {
  readonly family: string
  readonly table: string
  readonly chain: string
}

interface ListedRule extends TracedChain {
  readonly handle: number
}

/** The key of a chain in `RuleHandles`. */
export function chainKey({ family, table, chain }: TracedChain): string {
  return `${family} ${table} ${chain}`
}

/** A rule of the kernel: its position in its chain, from 1, and its text. */
export interface KernelRule {
  readonly number: number
  /** As iptables-save or nft prints it, without its chain. */
  readonly spec?: string | undefined
}

/** What a trace names by its place in the rules. */
export interface KernelRules {
  /** By the handle, or for iptables-legacy by the number; undefined if it has been removed. */
  rule(
    of: TracedChain & { readonly handle?: number | undefined; readonly number?: number | undefined },
  ): KernelRule | undefined
  /** Of a base chain of iptables; undefined for others. */
  policy(of: TracedChain): 'accept' | 'drop' | undefined
}
