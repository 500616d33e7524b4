import { signal, type ReadonlySignal } from '@preact/signals'
import type { OpenedTerminal, OpenTerminal, TerminalSize } from '../../../live/api.js'
import type { Api } from '../call.js'
import { watchPrompt } from './prompt.js'
import { newScreen, type Screen } from './screen.js'

/** A terminal of this page. */
export interface Session {
  /** A network namespace. */
  readonly place: string
  readonly screen: Screen
  /** Whether its shell runs. */
  readonly isRunning: ReadonlySignal<boolean>
  /** Resolves when its shell runs; the first call starts it. The screen must be in the page. */
  start(): Promise<void>
  /** Types a command at the prompt of the shell; what runs, or was typed before, is interrupted. `runs` adds Enter. */
  enter(command: string, runs: boolean): Promise<void>
  /** Ends the shell; its screen stays. */
  close(): void
}

/** A new terminal in a place of the lab that has this API; `label` names it. Throws Error. */
export async function newSession(
  api: Pick<Api, 'base' | 'call' | 'callText'>,
  place: string,
  label: string,
): Promise<Session> {
  const screen = await newScreen(label)
  const gone = new AbortController()
  const isRunning = signal(false)
  const prompt = watchPrompt()
  let path = ''
  let starting: Promise<void> | undefined
  let begun = () => {}
  const firstPrompt = new Promise<void>((resolve) => (begun = resolve)).then(() => prompt.wait(firstPromptMs))
  const send = oneAtATime(async (text) => void (await api.call(`${path}/input`, { text })))
  const start = async () => {
    isRunning.value = true
    try {
      const { id } = await api.call<OpenedTerminal>('/terminals', {
        place,
        ...screen.size,
      } satisfies OpenTerminal)
      path = `/terminals/${id}`
      screen.onType(send)
      screen.onResize(latest((size) => api.call(`${path}/size`, size)))
      const response = await fetch(`${api.base}${path}/output`, { signal: gone.signal })
      begun()
      void printAll(response, screen, prompt.print).finally(() => (isRunning.value = false))
    } catch (error) {
      isRunning.value = false
      throw error
    }
  }
  return {
    ...{ place, screen, isRunning },
    start: () => (starting ??= start()),
    async enter(command, runs) {
      await firstPrompt
      await prompt.wait(runningMs)
      if (!prompt.isShown()) {
        send(interrupt)
        await prompt.wait(promptMs)
      }
      send(runs ? `${command}\r` : command)
    },
    close() {
      gone.abort()
      isRunning.value = false
      if (path !== '') api.callText(path, { method: 'DELETE' }).catch(() => undefined)
    },
  }
}

/** Ctrl-C. */
const interrupt = '\x03'
/** How long a command waits for a prompt, in milliseconds: of a shell that starts, of what runs, and after Ctrl-C. */
const firstPromptMs = 10_000
const runningMs = 1000
const promptMs = 2000

/** Prints as fast as the screen draws; the shell waits meanwhile. */
async function printAll(
  { body }: Response,
  screen: Screen,
  seen: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) return
      seen(part.value)
      await screen.print(part.value)
    }
  } catch {
    // it was closed, or the connection was lost
  }
}

/** Sends text in order: what comes while some is sent goes together with the next. */
function oneAtATime(send: (text: string) => Promise<void>): (text: string) => void {
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
