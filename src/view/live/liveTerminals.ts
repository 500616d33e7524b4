import * as z from 'zod'
import { kubectlEnvironment } from '../../host/kubeProxy/apiAddress.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { interactiveShell } from '../../host/terminal/shell.js'
import { startTerminal, type RunningTerminal, type TerminalSize } from '../../host/terminal/startTerminal.js'
import { HttpError } from '../../host/view/httpError.js'
import type { UpLab } from '../../up/upLab.js'
import type { LiveLab, OpenedTerminal, OpenTerminal } from './api.js'
import { readJson } from './readJson.js'

/** The terminals that pages have opened in a lab. */
export interface LiveTerminals {
  open(wanted: OpenTerminal): OpenedTerminal
  /** What a terminal shows, until its shell ends or no page reads any more, which closes it. Throws HttpError. */
  output(id: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Throws HttpError, as the following ones do. */
  type(id: string, text: string): Promise<void>
  resize(id: string, size: TerminalSize): Promise<void>
  close(id: string): void
  /** Closes all. */
  stop(): Promise<void>
}

const usualTerminals = 16
/** A terminal whose output no page has read is closed after this time. */
const unreadMs = 60_000

const mostCells = 1000
const cells = z.number().int().min(1).max(mostCells)
const size = { rows: cells, columns: cells }

/** Reads the body that opens a terminal. Throws HttpError. */
export function readOpenTerminal(body: string): OpenTerminal {
  return readJson(z.strictObject({ place: z.string(), ...size }), body)
}

/** Reads a size. Throws HttpError. */
export function readSize(body: string): TerminalSize {
  return readJson(z.strictObject(size), body)
}

/** Reads what is typed. Throws HttpError. */
export function readTyped(body: string): string {
  return readJson(z.strictObject({ text: z.string() }), body).text
}

interface Open {
  readonly terminal: RunningTerminal
  isRead: boolean
}

/** Starts the command of a shell on a terminal. */
export type StartShell = typeof startTerminal

/** The terminals of one server; their shells are those of `vethlab shell`. */
export function createLiveTerminals(
  up: UpLab,
  lab: () => LiveLab,
  {
    mostTerminals = usualTerminals,
    startShell = startTerminal,
  }: { readonly mostTerminals?: number | undefined; readonly startShell?: StartShell | undefined } = {},
): LiveTerminals {
  const opened = new Map<string, Open>()
  let last = 0
  const find = (id: string): Open => {
    const found = opened.get(id)
    if (found === undefined)
      throw new HttpError(404, `there is no terminal ${id}`, 'its shell may have ended')
    return found
  }
  return {
    open({ place: netns, rows, columns }) {
      const { places, readOnly } = lab()
      if (readOnly) throw new HttpError(403, 'this page opens no terminals', 'it is read-only')
      const place = Object.hasOwn(places, netns) ? places[netns] : undefined
      if (place === undefined) throw new HttpError(404, `there is no place ${netns}`)
      if (opened.size >= mostTerminals)
        throw new HttpError(429, `${mostTerminals} terminals are open already`, 'close one')
      const where = { netns, files: netns, hostname: place.name }
      const command = joinSandbox(up.pid, up.rootless).command(interactiveShell(), where)
      const env = { ...kubectlEnvironment, PS1: `${up.lab} ${netns} \\w# ` }
      const terminal = startShell(command, env, { rows, columns })
      const id = String(++last)
      const one = { terminal, isRead: false }
      opened.set(id, one)
      const timer = setTimeout(() => !one.isRead && terminal.close(), unreadMs).unref()
      void terminal.ended.then(() => {
        clearTimeout(timer)
        // what it printed last can still be read
        if (one.isRead) opened.delete(id)
        else setTimeout(() => opened.delete(id), unreadMs).unref()
      })
      return { id }
    },
    output(id, signal) {
      const one = find(id)
      if (one.isRead) throw new HttpError(409, `terminal ${id} is shown by another page`)
      one.isRead = true
      const close = () => one.terminal.close()
      signal.addEventListener('abort', close, { once: true })
      if (signal.aborted) close()
      void one.terminal.ended.then(() => opened.delete(id))
      return one.terminal.output
    },
    type: (id, text) => find(id).terminal.write(text),
    resize: (id, wanted) => find(id).terminal.resize(wanted),
    close: (id) => find(id).terminal.close(),
    async stop() {
      const all = [...opened.values()]
      all.forEach(({ terminal }) => terminal.close())
      await Promise.all(all.map(({ terminal }) => terminal.ended))
    },
  }
}
