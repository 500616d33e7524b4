import type { Clock } from '../../clock.js'

/** Runs one thing, never twice at a time. */
export interface Runner<Result> {
  /** Requests a run that starts after this call; resolves with its result. Waiting requests share one run. */
  request(): Promise<Result>
  /** The same without the minimum gap; it still waits for a running one. */
  requestNow(): Promise<Result>
}

interface Waiting<Result> {
  readonly promise: Promise<Result>
  readonly settle: (result: Promise<Result>) => void
}

/**
 * A run starts at least `minimumGapMs` after the end of the previous one; requests in between share one run.
 * Mirrors BoundedFrequencyRunner of kube-proxy, without bursts.
 */
export function createRunner<Result>(
  run: () => Promise<Result>,
  minimumGapMs: number,
  clock: Clock,
): Runner<Result> {
  let waiting: Waiting<Result> | undefined
  let running = false
  let earliest = 0
  let urgent = false
  let cancelTimer: (() => void) | undefined

  const now = () => clock.now().getTime()
  const start = async (): Promise<void> => {
    const mine = waiting
    if (running || mine === undefined) return
    cancelTimer?.()
    cancelTimer = undefined
    waiting = undefined
    urgent = false
    running = true
    const result = run()
    mine.settle(result)
    await result.catch(() => undefined)
    running = false
    earliest = now() + minimumGapMs
    arm()
  }
  const arm = () => {
    if (running || waiting === undefined || cancelTimer !== undefined) return
    const wait = urgent ? 0 : earliest - now()
    if (wait <= 0) void start()
    else cancelTimer = clock.after(wait, () => void start())
  }
  const wanted = (): Promise<Result> => {
    waiting ??= newWaiting<Result>()
    return waiting.promise
  }
  return {
    request() {
      const promise = wanted()
      arm()
      return promise
    },
    requestNow() {
      const promise = wanted()
      urgent = true
      void start()
      return promise
    },
  }
}

function newWaiting<Result>(): Waiting<Result> {
  let settle: Waiting<Result>['settle'] = () => undefined
  const promise = new Promise<Result>((resolve) => (settle = resolve))
  return { promise, settle }
}
