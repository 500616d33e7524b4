import type { CheckResult } from '../../results/events.js'
import type { LiveCluster } from '../live/types.js'
import type { WaitAction } from './types.js'
import { waitState } from './waitState.js'

/** Longest time for the lab to settle before the condition is checked. */
const settleMs = 30_000

/** Waits until a condition is met or the time is up; the check passes if it is met, and shows the last state. */
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
  // rules follow the cluster with a delay
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
