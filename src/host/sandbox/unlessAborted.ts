import { setTimeout as delay } from 'node:timers/promises'

/**
 * Resolves when the work has ended, or this time after the signal: a command ends within two seconds of its signal, on a busy host
 * too. The work then continues. Rejects as the work does.
 */
export async function endedSoon(
  signal: AbortSignal | undefined,
  patienceMs: number,
  work: Promise<unknown>,
): Promise<void> {
  const over = new AbortController()
  const late = () => Promise.race([work, delay(patienceMs, undefined, { signal: over.signal })])
  try {
    await unlessAborted(signal, work).catch(late)
  } finally {
    over.abort()
  }
}

/** The result of work; rejects with the signal's reason if it aborts first. The work then continues, its result unused. */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return work
  let abort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
