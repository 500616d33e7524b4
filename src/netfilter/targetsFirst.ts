/** A line that this order knows: `:CHAIN …`, `-A CHAIN …`, `-I CHAIN …` or `-X CHAIN`. */
const known = /^(?:(?<declaration>:)|(?:\[\d+:\d+\] )?-[AI] |(?<deletion>-X ))(?<chain>[^\s:]+)(?: |$)/

interface ChainLines {
  readonly lines: string[]
  /** Chains that its rules may jump to. */
  readonly targets: Set<string>
}

/**
 * Orders the lines of one table of restore text, without its first line and COMMIT: a chain with all its rules comes after
 * the chains that it jumps to, deletions come last. The lines of a chain keep their order, so loading them has the same
 * result. Text whose order may matter otherwise is returned as it is: other commands, a chain that is declared after its
 * rules or used after its deletion, loops.
 */
export function targetsFirst(body: readonly string[]): readonly string[] {
  const chains = new Map<string, ChainLines>()
  const deletions: string[] = []
  const deleted = new Set<string>()
  for (const line of body) {
    const { chain, declaration, deletion } = known.exec(line)?.groups ?? {}
    if (chain === undefined || deleted.has(chain)) return body
    if (deletion !== undefined) {
      deleted.add(chain)
      deletions.push(line)
      continue
    }
    const before = chains.get(chain)
    if (declaration !== undefined && before !== undefined) return body
    const { lines, targets } = before ?? { lines: [], targets: new Set() }
    if (before === undefined) chains.set(chain, { lines, targets })
    lines.push(line)
    for (const [, target = ''] of line.matchAll(/ -[jg] (\S+)/g)) targets.add(target)
  }
  const ordered = inOrder(chains)
  return ordered === undefined ? body : [...ordered, ...deletions]
}

/** The lines of all chains, targets first; undefined if chains jump in a loop. */
function inOrder(chains: ReadonlyMap<string, ChainLines>): string[] | undefined {
  const result: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (name: string): boolean => {
    const chain = chains.get(name)
    if (chain === undefined || state.get(name) === 'done') return true
    if (state.get(name) === 'open') return false
    state.set(name, 'open')
    for (const target of chain.targets) if (!visit(target)) return false
    for (const line of chain.lines) result.push(line)
    state.set(name, 'done')
    return true
  }
  for (const name of chains.keys()) if (!visit(name)) return undefined
  return result
}
