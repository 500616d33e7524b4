/** The candidate closest to a mistyped name; undefined when none is close. */
export function nearestName(typed: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(Math.min(typed.length, 40) / 3))
  let best: { name: string; distance: number } | undefined
  for (const name of candidates) {
    if (Math.abs(name.length - typed.length) > limit) continue
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** The hint for a mistyped name; undefined when no candidate is close. */
export function didYouMean(typed: string, candidates: Iterable<string>): string | undefined {
  const name = nearestName(typed, candidates)
  return name === undefined ? undefined : `did you mean "${name}"?`
}

/** Damerau-Levenshtein distance (restricted): a swap of two neighbours is one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, before[j - 2]! + 1)
      current.push(distance)
    }
    before = previous
    previous = current
  }
  return previous[b.length]!
}
