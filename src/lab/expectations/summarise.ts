import type { Verdict } from './kind.js'

const shown = 4

/** The verdicts on a step's requests as one: every request must stand, and there must be one. */
export function summarise(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts
  if (first === undefined) return { ok: false, observed: 'no request was made' }
  if (verdicts.length === 1) return first
  const failed = verdicts.filter((verdict) => !verdict.ok)
  const total = `${verdicts.length} requests`
  if (failed.length === 0) return { ...first, observed: `all ${total}: ${tally(verdicts)}` }
  const numbers = verdicts.flatMap((verdict, index) => (verdict.ok ? [] : [index + 1])).slice(0, shown)
  const which = `request${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}${failed.length > shown ? ', …' : ''}`
  return {
    ...failed[0],
    ok: false,
    observed: `${failed.length} of ${total} differ (${which}): ${tally(failed)}`,
  }
}

/** `120 × web-a, 80 × web-b`: what was observed, the most frequent first. */
export function tally(verdicts: readonly Pick<Verdict, 'observed'>[]): string {
  const counts = new Map<string, number>()
  for (const { observed } of verdicts) counts.set(observed, (counts.get(observed) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const [only] = sorted
  if (only && sorted.length === 1) return only[0]
  const rest = sorted.length > shown ? `, and ${sorted.length - shown} more` : ''
  return (
    sorted
      .slice(0, shown)
      .map(([observed, count]) => `${count} × ${observed}`)
      .join(', ') + rest
  )
}
