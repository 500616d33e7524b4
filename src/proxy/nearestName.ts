/** The known name closest to what was written, when it is close enough to be meant. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let smallest = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase())
    if (distance < smallest) [nearest, smallest] = [name, distance]
  }
  return nearest
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
