import { targetsFirst } from './targetsFirst.js'

/**
 * Splits restore text into several commits of a table. iptables-nft sends a commit as one netlink message, and without root
 * (in a user namespace) the socket takes net.core.wmem_default bytes, mostly 208 KiB: between 500 and 1000 of kube-proxy's
 * rules (measured with iptables 1.8.9). A split text is not atomic. A long table is ordered by `targetsFirst`, so that new
 * chains become reachable in its last commits, when they are complete; the kernel checks all reachable rules in each commit.
 */
export function splitRestore(text: string, linesPerCommit = 200): string {
  const result: string[] = []
  let table: { readonly head: string; readonly body: string[] } | undefined
  for (const line of text.split('\n')) {
    if (table === undefined && line.startsWith('*')) table = { head: line, body: [] }
    else if (table === undefined) result.push(line)
    else if (line === 'COMMIT') {
      result.push(...commits(table.head, table.body, linesPerCommit))
      table = undefined
    } else if (line !== '') table.body.push(line)
  }
  // iptables-restore reports that the last COMMIT is missing
  return table === undefined ? result.join('\n') : text
}

function commits(table: string, body: readonly string[], linesPerCommit: number): string[] {
  const ordered = body.length > linesPerCommit ? targetsFirst(body) : body
  const result: string[] = []
  for (let start = 0; start === 0 || start < ordered.length; start += linesPerCommit) {
    result.push(table)
    for (const line of ordered.slice(start, start + linesPerCommit)) result.push(line)
    result.push('COMMIT')
  }
  return result
}
