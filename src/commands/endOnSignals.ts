/** Signals that end a command; the lab is removed first, then the shell's usual exit code says which it was. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** npm passes on the Ctrl-C that the terminal has sent to all of its processes: one signal may come twice. */
const sameSignalMs = 500

/**
 * Aborts the controller on the first signal; `code` is set then. A second one ends the process at once: the kernel
 * removes its labs.
 */
export function endOnSignals(controller: AbortController): { code: number | undefined; forget: () => void } {
  const state = { code: undefined as number | undefined, forget: () => undefined as void }
  let first = 0
  const handlers = Object.entries(codes).map(([signal, code]) => {
    const handler = () => {
      if (state.code !== undefined && performance.now() - first > sameSignalMs) process.exit(state.code)
      if (state.code !== undefined) return
      state.code = code
      process.exitCode = code
      first = performance.now()
      controller.abort()
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  state.forget = () => handlers.forEach((off) => off())
  return state
}

/** The result of work; rejects with the signal's reason when it aborts first. The work continues, its result unused. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted])
}
