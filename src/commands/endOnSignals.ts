/** Signals that end a run; the lab is removed first, then the shell's usual exit code says which it was. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Aborts the controller on the first signal; `code` is set then. */
export function endOnSignals(controller: AbortController): { code: number | undefined; forget: () => void } {
  const state = { code: undefined as number | undefined, forget: () => undefined as void }
  const handlers = Object.entries(codes).map(([signal, code]) => {
    const handler = () => {
      state.code ??= code
      controller.abort()
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  state.forget = () => handlers.forEach((off) => off())
  return state
}
