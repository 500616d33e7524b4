/**
 * Splits restore text into several commits of a table, order kept. iptables-nft sends a commit as one netlink message,
 * and without root (in a user namespace) the socket takes net.core.wmem_default bytes, mostly 208 KiB: between 500 and
 * 1000 of kube-proxy's rules (measured with iptables 1.8.9). Only for loading where the steps between do not matter:
 * a split text is not atomic.
 */
export function splitRestore(text: string, linesPerCommit = 200): string {
  const result: string[] = []
  let table = ''
  let pending = 0
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) {
      table = line
      pending = 0
    } else if (line !== 'COMMIT' && line !== '' && ++pending > linesPerCommit) {
      result.push('COMMIT', table)
      pending = 1
    }
    result.push(line)
  }
  return result.join('\n')
}
