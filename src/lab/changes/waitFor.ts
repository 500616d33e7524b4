import type { CheckResult } from '../../results/events.js'
import type { LiveCluster } from '../live/types.js'
import type { WaitAction } from './types.js'
import { waitState } from './waitState.js'

/** Longest that a lab may take to settle before something is looked at. */
const settleMs = 30_000

/** Waits until something is so, or the time is up; tells which, with what was seen last. */
export async function waitFor(live: LiveCluster, action: WaitAction): Promise<CheckResult> {
  if (action.timeoutSeconds === 0) await live.settled(settleMs)
  const { met, seen } = await new Promise<ReturnType<typeof waitState>>((resolve) => {
    const look = () => waitState(action, live.state())
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve(look())
    }
    const timer = setTimeout(end, action.timeoutSeconds * 1000).unref()
    const stop = live.onState(() => {
      if (look().met) end()
    })
    if (look().met) end()
  })
  // the cluster is ahead of the rules
  if (met) await live.followed()
  const { until } = action
  const words =
    typeof until === 'string'
      ? wordsOf[until]
      : `${until.endpoints} ready endpoint${until.endpoints === 1 ? '' : 's'}`
  return {
    name: `${action.for} ${typeof until === 'string' ? 'is' : 'has'} ${words}`,
    ok: met,
    expected: action.timeoutSeconds === 0 ? words : `${words} within ${action.timeoutSeconds} s`,
    observed: seen,
  }
}

const wordsOf: Readonly<Record<Extract<WaitAction['until'], string>, string>> = {
  available: 'available',
  rolledOut: 'rolled out',
  running: 'running',
  ready: 'ready',
  notReady: 'not ready',
  gone: 'gone',
}
