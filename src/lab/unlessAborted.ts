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
