import { readChains, type RestoreChain } from './restoreChains.js'
import { restoreTables } from './restoreTables.js'

/** How large the commits of a table are. */
export interface CommitSize {
  /** Most lines; a table with more is split. */
  readonly lines: number
  /** Whether all lines of a chain are in one commit, even if they are more: no packet meets a part of a chain. */
  readonly wholeChains: boolean
}

/**
 * Where the kernel limits a commit. iptables-nft sends a commit as one netlink message, and without root (in a user namespace)
 * the socket takes net.core.wmem_default bytes, mostly 208 KiB: between 500 and 1000 of kube-proxy's rules (measured with
 * iptables 1.8.9).
 */
export const smallCommits: CommitSize = { lines: 200, wholeChains: false }

/**
 * Where it does not. With `--noflush`, iptables-nft looks up the chain of each line, and its target, in a sorted list of those of
 * the commit, from its start: this takes most of the time of a commit of 5,000 lines. Each commit waits until the kernel has
 * freed what the one before it replaced: this takes most of the time of many small ones.
 */
export const largeCommits: CommitSize = { lines: 1600, wholeChains: true }

/** Whether a text may have a table that `smallCommits` splits. */
export function isLong(text: string): boolean {
  return hasMoreLines(text, smallCommits.lines)
}

/**
 * Splits restore text into several commits of a table. A split text is not atomic. A long table is ordered by `targetsFirst`,
 * so that new chains become reachable in its last commits, when they are complete; the kernel checks all reachable rules in
 * each commit.
 */
export function splitRestore(text: string, size: CommitSize = smallCommits): string {
  const result: string[] = []
  let from = 0
  for (const { head, body, start, end } of restoreTables(text)) {
    result.push(text.slice(from, start))
    for (const commit of commits(body, size)) result.push(head, commit, 'COMMIT\n')
    from = end
  }
  return [...result, text.slice(from)].join('')
}

function commits(body: string, { lines, wholeChains }: CommitSize): string[] {
  if (!hasMoreLines(body, lines)) return [body]
  const table = readChains(body)
  const chains = table === undefined ? undefined : targetsFirst(table.chains)
  if (table === undefined || chains === undefined) return wholeChains ? [body] : byLines(body, lines)
  const deletions = table.deletions.join('')
  if (!wholeChains) return byLines(`${chains.flatMap(({ texts }) => texts).join('')}${deletions}`, lines)
  const all = byChains(chains, lines)
  all.push(`${all.pop() ?? ''}${deletions}`)
  return all
}

function byChains(chains: readonly RestoreChain[], most: number): string[] {
  const result: string[] = []
  let commit: string[] = []
  let lines = 0
  for (const chain of chains) {
    if (lines > 0 && lines + chain.lines > most) {
      result.push(commit.join(''))
      commit = []
      lines = 0
    }
    for (const text of chain.texts) commit.push(text)
    lines += chain.lines
  }
  return [...result, commit.join('')]
}

function byLines(body: string, most: number): string[] {
  const lines = body.split('\n').slice(0, -1)
  return Array.from(
    { length: Math.ceil(lines.length / most) },
    (_, index) => `${lines.slice(index * most, (index + 1) * most).join('\n')}\n`,
  )
}

function hasMoreLines(text: string, most: number): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++lines > most) return true
  return false
}

/** Orders chains so that each one comes after the chains that it jumps to; undefined if chains jump in a loop. */
function targetsFirst(chains: ReadonlyMap<string, RestoreChain>): RestoreChain[] | undefined {
  const result: RestoreChain[] = []
  const place = (chain: RestoreChain): boolean => {
    if (chain.state !== 'new') return chain.state === 'placed'
    chain.state = 'open'
    for (const name of chain.targets) {
      const target = chains.get(name)
      if (target !== undefined && !place(target)) return false
    }
    result.push(chain)
    chain.state = 'placed'
    return true
  }
  for (const chain of chains.values()) if (!place(chain)) return undefined
  return result
}
