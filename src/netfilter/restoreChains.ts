/** The lines of one chain in a table of restore text. */
export interface RestoreChain {
  readonly name: string
  /** Its lines with their newlines; those that follow each other are one text. */
  readonly texts: string[]
  lines: number
  /** Chains that its rules may jump to: a comment may look like a jump. */
  readonly targets: string[]
  /** Whether `targetsFirst` has placed it. */
  state: 'new' | 'open' | 'placed'
}

/** The lines of a table by chain, and those that delete chains. */
export interface RestoreTable {
  readonly chains: ReadonlyMap<string, RestoreChain>
  readonly deletions: readonly string[]
}

/**
 * Reads the lines of a table, without its first line and COMMIT, each with its newline. Undefined for text that may have another
 * result if chains are reordered: other commands than `:CHAIN …`, `-A CHAIN …`, `-I CHAIN …` and `-X CHAIN`, a chain that is
 * declared after its rules or used after its deletion.
 */
export function readChains(body: string): RestoreTable | undefined {
  const chains = new Map<string, RestoreChain>()
  const deletions = new Map<string, string>()
  const jumps = [jumpsOf(body, ' -j '), jumpsOf(body, ' -g ')]
  let chain: RestoreChain | undefined
  /** Start of the lines of this chain that are not in its texts yet. */
  let from = 0
  let next: number
  for (let start = 0; start < body.length; start = next) {
    next = body.indexOf('\n', start) + 1
    // counters come before a rule
    const command = body.startsWith('[', start) ? body.indexOf('] ', start) + 2 : start
    const declares = body.startsWith(':', start)
    const deletes = body.startsWith('-X ', command)
    if (!declares && !deletes && !body.startsWith('-A ', command) && !body.startsWith('-I ', command))
      return undefined
    const name = nameAt(body, declares ? start + 1 : command + 3, next)
    if (deletions.size > 0 && deletions.has(name)) return undefined
    if (deletes || chain?.name !== name) {
      chain?.texts.push(body.slice(from, start))
      from = start
      chain = chains.get(name)
    }
    if (deletes) {
      deletions.set(name, body.slice(start, next))
      chain = undefined
    } else {
      if (declares && chain !== undefined) return undefined
      if (chain === undefined)
        chains.set(name, (chain = { name, texts: [], lines: 0, targets: [], state: 'new' }))
      chain.lines++
      if (!declares) for (const targets of jumps) targets(start, next, chain.targets)
    }
  }
  chain?.texts.push(body.slice(from))
  return { chains, deletions: [...deletions.values()] }
}

/** From a position to a space or the end of the line. */
function nameAt(body: string, start: number, next: number): string {
  const space = body.indexOf(' ', start)
  return body.slice(start, space < 0 || space >= next ? next - 1 : space)
}

/** Adds the targets of the rule between two positions; rules must come in their order, because each jump is looked up once. */
function jumpsOf(body: string, jump: string): (start: number, next: number, targets: string[]) => void {
  let found = body.indexOf(jump)
  return (start, next, targets) => {
    while (found >= 0 && found < next) {
      if (found >= start) targets.push(nameAt(body, found + jump.length, next))
      found = body.indexOf(jump, found + 1)
    }
  }
}
