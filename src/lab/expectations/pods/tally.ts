/** The number of different texts in a message; the rest are counted. */
const shown = 4

/**
 * `120 × web-a, 80 × web-b`: the observed texts, the most frequent first. Texts that differ only in port numbers are one,
 * with `*` for the ports: each request has its own port.
 */
export function tally(observed: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const text of observed) {
    const key = text.replaceAll(numbers, ':*')
    const group = groups.get(key)
    if (group) group.push(text)
    else groups.set(key, [text])
  }
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length)
  const [only] = sorted
  if (only && sorted.length === 1) return merged(only)
  const rest = sorted.length > shown ? `, and ${sorted.length - shown} more` : ''
  return (
    sorted
      .slice(0, shown)
      .map((group) => `${group.length} × ${merged(group)}`)
      .join(', ') + rest
  )
}

/** Ports; also the decimal parts of IPv6 addresses, which are equal if the addresses are. */
const numbers = /:\d+\b/g

function merged(texts: readonly string[]): string {
  const [first = ''] = texts
  const all = texts.map((text) => text.match(numbers) ?? [])
  let index = 0
  return first.replaceAll(numbers, (number) => {
    const place = index++
    return all.every((one) => one[place] === number) ? number : ':*'
  })
}
