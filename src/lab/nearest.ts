/** The known word that a mistyped one most likely meant; undefined when none is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  let best: { word: string; distance: number } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance))
      best = { word: candidate, distance }
  }
  return best?.word
}

/** `did you mean "expect"?`, or nothing when no known word is close. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const meant = nearest(word, known)
  return meant === undefined ? undefined : `did you mean "${meant}"?`
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let least = Math.min(at(current, column - 1) + 1, at(last, column) + 1, at(last, column - 1) + cost)
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (row > 1 && column > 1 && swapped) least = Math.min(least, at(beforeLast, column - 2) + 1)
      current.push(least)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
