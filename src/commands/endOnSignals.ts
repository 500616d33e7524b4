/** Signals that end a command after its lab is removed, and the exit codes that shells use for them. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** A signal may arrive twice: npm forwards the Ctrl-C that the terminal sends to all its processes. */
const sameSignalMs = 500

/**
 * On the first signal, sets `code` and aborts the controller. A second one ends the process at once; the kernel then
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

/** Does work that the first signal aborts. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    return await work(controller.signal)
  } finally {
    interrupted.forget()
  }
}
