/**
 * Splits the input of `nft -f`, a command a line, into several, order kept. nft sends its input as one netlink message, and in
 * a user namespace the socket takes net.core.wmem_default bytes, mostly 208 KiB: more than 32,000 characters of kube-proxy's
 * commands (measured with nft 1.0.6). Each part is a transaction, and a packet can meet the state in between: where the kernel allows
 * larger messages, `nodeTables` does not split.
 */
export function splitNft(text: string, longest = 20_000): string[] {
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  for (const line of text.split('\n')) {
    if (length > 0 && length + line.length > longest) {
      parts.push(part.join('\n'))
      part = []
      length = 0
    }
    part.push(line)
    length += line.length + 1
  }
  return [...parts, part.join('\n')]
}
