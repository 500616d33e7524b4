import { basename } from 'node:path'
import type { Test } from 'tap'
import type { LiveEvents } from '../../src/view/live/api.js'
import { copyOfLab, start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** An open session of a browser, with the events that it got. */
export interface Browser {
  readonly events: readonly { readonly name: string; readonly data: string }[]
  /** Whether the server ended the events, and did not just break the connection. */
  readonly ended: Promise<boolean>
  call(path: string, body?: unknown, more?: RequestInit): Promise<Response>
}

/** Exchanges the token of a URL for a cookie, and follows the events. */
export async function browse(url: string): Promise<Browser> {
  const { origin } = new URL(url)
  const opened = await fetch(url, { redirect: 'manual' })
  const headers = { cookie: opened.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const call: Browser['call'] = (path, body, { headers: more, ...options } = {}) =>
    fetch(`${origin}/api/v1${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...options,
      headers: { 'content-type': 'application/json', ...headers, ...(more as Record<string, string>) },
    })
  const events: { name: string; data: string }[] = []
  const stream = await call('/events')
  const read = async () => {
    let rest = ''
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (name !== undefined && data !== undefined) events.push({ name, data })
      }
    }
  }
  const ended = read().then(
    () => true,
    () => false,
  )
  return { events, ended, call }
}

export function eventsOf<Name extends keyof LiveEvents>(browser: Browser, wanted: Name): LiveEvents[Name][] {
  const own = browser.events.filter(({ name }) => name === wanted)
  return own.map(({ data }) => JSON.parse(data) as LiveEvents[Name])
}

/** A running copy of a lab and the URL of its page. */
export async function viewLab(t: Test, options: { up?: readonly string[]; view?: readonly string[] } = {}) {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path, ...(options.up ?? [])])).code, 0)
  const server = start(['view', lab, ...(options.view ?? [])])
  t.teardown(() => server.kill('SIGKILL'))
  await server.says('Ctrl-C')
  const [url = ''] = /http:\S+/.exec(await server.says('token=')) ?? []
  return { lab, server, url }
}
