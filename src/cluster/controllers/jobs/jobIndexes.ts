/** Indexes as the status of a Job has them: `0-2,4` (orderedIntervals.String of the Job controller). */
export function indexText(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b)
  const parts: string[] = []
  for (let start = 0; start < sorted.length;) {
    let end = start
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++
    const [first, last] = [sorted[start] ?? 0, sorted[end] ?? 0]
    parts.push(first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`)
    start = end + 1
  }
  return parts.join(',')
}

/** The indexes below `completions` of a text such as `0-2,4`. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const found = new Set<number>()
  for (const part of (text ?? '').split(',').filter((one) => one !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    for (let index = first; index <= Math.min(last, completions - 1); index++) found.add(index)
  }
  return found
}
