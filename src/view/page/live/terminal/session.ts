import { signal } from '@preact/signals'
import type { OpenedTerminal, OpenTerminal, TerminalSize } from '../../../live/api.js'
import { base, call, callText } from '../call.js'
import { newScreen, type Screen } from './screen.js'

/** The terminal of this page. */
export interface Session {
  readonly place: string
  readonly screen: Screen
  /** Resolves when its shell runs. */
  start(): Promise<void>
  close(): void
}

/** The terminal that is open, or was until its shell has ended; panes come and go, it stays. */
export const session = signal<Session | undefined>(undefined)
/** Whether its shell runs. */
export const isRunning = signal(false)

/** Puts a new terminal in the place of the one before. Throws Error. */
export async function newSession(place: string): Promise<void> {
  session.value?.close()
  session.value?.screen.remove()
  const screen = await newScreen(`terminal of ${place}`)
  session.value = sessionOf(place, screen)
}

function sessionOf(place: string, screen: Screen): Session {
  const gone = new AbortController()
  let path = ''
  const send = inTurn(async (text) => void (await call(`${path}/input`, { text })))
  const isShown = () => session.value?.screen === screen
  return {
    ...{ place, screen },
    async start() {
      isRunning.value = true
      try {
        const { id } = await call<OpenedTerminal>('/terminals', {
          place,
          ...screen.size,
        } satisfies OpenTerminal)
        path = `/terminals/${id}`
        screen.onType(send)
        screen.onResize(latest((size) => call(`${path}/size`, size)))
        const response = await fetch(`${base}${path}/output`, { signal: gone.signal })
        void printAll(response, screen).finally(() => {
          if (isShown()) isRunning.value = false
        })
      } catch (error) {
        if (isShown()) isRunning.value = false
        throw error
      }
    },
    close() {
      gone.abort()
      isRunning.value = false
      if (path !== '') callText(path, { method: 'DELETE' }).catch(() => undefined)
    },
  }
}

/** Prints as fast as the screen draws; the shell waits meanwhile. */
async function printAll({ body }: Response, screen: Screen): Promise<void> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) return
      await screen.print(part.value)
    }
  } catch {
    // it was closed, or the connection was lost
  }
}

/** Sends text in order: what comes while some is sent goes together with the next. */
function inTurn(send: (text: string) => Promise<void>): (text: string) => void {
  let waiting = ''
  let isSending = false
  const next = async () => {
    while (waiting !== '') {
      const text = waiting.slice(0, mostText)
      waiting = waiting.slice(mostText)
      // the shell has ended
      await send(text).catch(() => (waiting = ''))
    }
  }
  return (text) => {
    waiting += text
    if (isSending) return
    isSending = true
    void next().finally(() => (isSending = false))
  }
}

/** In one call; a body has at most 64 KiB. */
const mostText = 8192

/** Sends values one after the other, and leaves out those that another has followed. */
function latest(send: (size: TerminalSize) => Promise<unknown>): (size: TerminalSize) => void {
  let wanted: TerminalSize | undefined
  let isSending = false
  const next = async () => {
    while (wanted !== undefined) {
      const size = wanted
      wanted = undefined
      await send(size).catch(() => undefined)
    }
  }
  return (size) => {
    wanted = size
    if (isSending) return
    isSending = true
    void next().finally(() => (isSending = false))
  }
}
