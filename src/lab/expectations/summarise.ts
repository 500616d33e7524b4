import type { Verdict } from './verdict.js'
import { tally } from './pods/tally.js'

/** Requests that a message names by number. */
const shown = 4

/** The verdicts on a step's requests as one: there must be a request, and every request must pass. */
export function summarise(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts
  if (first === undefined) return { ok: false, observed: 'no request was sent' }
  if (verdicts.length === 1) return first
  const failed = verdicts.filter((verdict) => !verdict.ok)
  const total = `${verdicts.length} requests`
  if (failed.length === 0) return { ...first, observed: `all ${total}: ${tally(observed(verdicts))}` }
  const numbers = verdicts.flatMap((verdict, index) => (verdict.ok ? [] : [index + 1])).slice(0, shown)
  const which = `request${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}${failed.length > shown ? ', …' : ''}`
  return {
    ...failed[0],
    ok: false,
    observed: `${failed.length} of ${total} differ (${which}): ${tally(observed(failed))}`,
  }
}

function observed(verdicts: readonly Verdict[]): string[] {
  return verdicts.map((verdict) => verdict.observed)
}
