import { tally } from '../expectations/pods/tally.js'
import type { Outcome, RequestResult } from '../../results/request.js'
import type { LoadSeen } from './loads.js'

const words: Readonly<Record<Outcome, string>> = {
  answered: 'answered',
  timeout: 'lost',
  refused: 'refused',
  unreachable: 'unreachable',
  reset: 'reset',
  failed: 'failed',
}

/** A load's result in one or two lines: how many requests each pod answered, and what failed during which step. */
export function loadSummary(name: string, { requests, during, seconds }: LoadSeen): string[] {
  const answered = requests.filter(({ outcome }) => outcome === 'answered')
  const failed = requests.flatMap(({ outcome }, index) =>
    outcome === 'answered' ? [] : [`${words[outcome]} during "${during[index] ?? ''}"`],
  )
  const total = `${name}: ${requests.length} requests in ${seconds.toFixed(1)} s, ${answered.length} answered`
  return [
    `${total}${servers(answered)}`,
    ...(failed.length === 0 ? [] : [`${failed.length} not answered: ${tally(failed)}`]),
  ]
}

function servers(answered: readonly RequestResult[]): string {
  const counts = new Map<string, number>()
  for (const { echo } of answered) if (echo) counts.set(echo.pod, (counts.get(echo.pod) ?? 0) + 1)
  const named = [...counts].map(([pod, count]) => `${pod} ${count}`)
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}
