/** Follows what a shell prints, to know when it waits for a command. */
export interface PromptWatch {
  readonly print: (bytes: Uint8Array) => void
  /** Whether a prompt is the last that was printed. */
  isShown(): boolean
  /** Resolves when a prompt is shown, or after this time in milliseconds. */
  wait(mostMs: number): Promise<void>
}

/** Escape sequences of terminals (ECMA-48): colours, titles, bracketed paste. */
const escapes = /\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)/g

/** The shells of a lab have a prompt that ends with `# `; what is typed after it is echoed, and hides it. */
const atPrompt = /(?:^|[\r\n])[^\r\n]*# $/

/** No prompt is longer; a part of a line is enough. */
const mostTail = 300

/** Watches a shell that starts. */
export function watchPrompt(): PromptWatch {
  const decoder = new TextDecoder()
  let tail = ''
  let waiting: (() => void)[] = []
  const isShown = () => atPrompt.test(tail.replaceAll(escapes, ''))
  return {
    isShown,
    print(bytes) {
      tail = (tail + decoder.decode(bytes, { stream: true })).slice(-mostTail)
      if (!isShown()) return
      waiting.forEach((resolve) => resolve())
      waiting = []
    },
    wait(mostMs) {
      if (isShown()) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, mostMs)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
