import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { ControlGroups } from '../../src/host/groups/controlGroups.js'
import type { Exercise } from '../../src/lab/workshop/types.js'
import { serveClass } from '../../src/view/class/serveClass.js'
import { classStore, type ClassStore } from '../../src/workshop/class/classRecord.js'
import { newClass, trainer, withLink } from '../../src/workshop/class/newClass.js'
import type { ClassResults } from '../../src/workshop/class/results.js'

const page = { script: '', style: '' }

/** Sends requests with the session of a person. */
export interface Person {
  readonly cookie: string
  readonly call: (method: string, path: string, body?: unknown) => Promise<Response>
  get<Answer>(path: string): Promise<Answer>
  post<Answer>(path: string, body?: unknown): Promise<Answer>
}

/** A class that is served. */
export interface Served {
  readonly store: ClassStore
  readonly origin: string
  readonly person: (name: string) => Promise<Person>
  /** The results, when the server has ended. */
  readonly ended: Promise<ClassResults>
  end(): Promise<ClassResults>
}

/** Serves a class; its state is in a folder of the test. */
export async function serve(
  t: Test,
  names: readonly string[],
  exercises: readonly Exercise[],
  store = classStore(),
  groups?: ControlGroups,
): Promise<Served> {
  let record = store.read() ?? newClass('A class', names, undefined, Date.now())
  const tokens = new Map<string, string>()
  for (const name of [...names, trainer]) {
    const linked = withLink(record, name)
    record = linked.record
    tokens.set(name, linked.token)
  }
  store.save(record)
  const controller = new AbortController()
  let onUrl: (url: string) => void = () => undefined
  const url = new Promise<string>((resolve) => (onUrl = resolve))
  const ended = serveClass({
    ...{ address: '127.0.0.1', port: 0, names: ['127.0.0.1'], store, record, exercises, groups },
    ...{ labCode: { ...page, onUse: {} }, code: page, signal: controller.signal, onUrl },
  })
  const end = async () => {
    controller.abort()
    return ended
  }
  t.teardown(end)
  const tooEarly = ended.then(() => {
    throw new Error('the server has ended')
  })
  const origin = await Promise.race([url, tooEarly])
  const person = async (name: string): Promise<Person> => {
    const opened = await fetch(`${origin}/?token=${tokens.get(name) ?? ''}`)
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return personWith(origin, cookie)
  }
  return { store, origin, person, ended, end }
}

/** A person with a cookie. */
export function personWith(origin: string, cookie: string): Person {
  const call: Person['call'] = (method, path, body) =>
    fetch(origin + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const answer = async <Answer>(response: Response): Promise<Answer> => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status}: ${text}`)
    return JSON.parse(text) as Answer
  }
  return {
    cookie,
    call,
    get: async (path) => answer(await call('GET', `/api/v1${path}`)),
    post: async (path, body = {}) => answer(await call('POST', `/api/v1${path}`, body)),
  }
}

/** The state folder of this process, and names that no other test has. */
export function ownState(t: Test, names: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-class-'))
  const before = process.env['XDG_STATE_HOME']
  process.env['XDG_STATE_HOME'] = folder
  t.teardown(() => {
    if (before === undefined) delete process.env['XDG_STATE_HOME']
    else process.env['XDG_STATE_HOME'] = before
    rmSync(folder, { recursive: true, force: true })
  })
  const end = folder.slice(-6).toLowerCase()
  return names.map((name) => `${name}-${end}`)
}
