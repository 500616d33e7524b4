import { setTimeout as delay } from 'node:timers/promises'

/** A command ends within two seconds of its signal. */
const endMs = 1500

/**
 * Resolves when the work has ended, or a moment after the signal: a tool that hangs would delay the end. The work then continues.
 * Rejects as the work does.
 */
export async function endedSoon(signal: AbortSignal | undefined, work: Promise<unknown>): Promise<void> {
  if (signal === undefined) return void (await work)
  const late = unlessAborted(signal, new Promise(() => undefined)).catch(() => delay(endMs))
  await Promise.race([work, late])
}

/** The result of work; rejects with the signal's reason if it aborts first. The work then continues, its result unused. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let abort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
