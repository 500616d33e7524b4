import { readdirSync } from 'node:fs'
import { createServer, request as sendTo, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageFile } from '../../../src/host/builtFiles.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import type { ExerciseView, Me, Message, Texts } from '../../../src/view/class/api.js'
import type { ClassState, NewLinks, ParticipantState } from '../../../src/view/class/trainerApi.js'

/** Exercises, participants and messages of a class; what browsers change in it stays in memory. */
export interface RecordedClass {
  /** Opens the page of a participant, or of the trainer. */
  url(role: Me['role']): string
  /** The bodies of all calls that change something, by path below /api/v1. */
  readonly calls: readonly (readonly [path: string, body: unknown])[]
  /** What was typed into terminals, by place. */
  readonly typed: Readonly<Record<string, string>>
  setMe(change: Partial<Me>): void
  setView(change: Partial<ExerciseView>): void
  setClass(change: Partial<ClassState>): void
  end(reason: string): void
  close(): void
}

const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>vethlab</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/classStyle.css"></head>
<body><div id="app"></div><script type="module" src="/class.js"></script></body></html>`

const files: Readonly<Record<string, readonly [type: string, name: string]>> = {
  '/style.css': ['text/css', 'style.css'],
  '/classStyle.css': ['text/css', 'classStyle.css'],
  '/class.js': ['text/javascript', 'class.js'],
  '/live.js': ['text/javascript', 'live.js'],
  '/terminal.js': ['text/javascript', 'terminal.js'],
  '/editor.js': ['text/javascript', 'editor.js'],
  '/sentences.js': ['text/javascript', 'sentences.js'],
}

/** The exercises of vethlab, as a class starts. */
export function recordedExercises(): Me['exercises'] {
  return readdirSync('labs/exercises')
    .filter((name) => !name.includes('.'))
    .map((name) => loadExercise(name))
    .toSorted((a, b) => a.level - b.level)
    .map(({ name, level, texts }) => ({
      ...{ name, level, title: titles(texts), minutes: 10, prerequisites: [], state: 'new', open: true },
    }))
}

function titles(texts: ReturnType<typeof loadExercise>['texts']): Texts {
  return { en: texts.en.title, ...(texts.ko === undefined ? {} : { ko: texts.ko.title }) }
}

/** Serves the pages of a class on a free port of 127.0.0.1; `/lab/` is the page at `live`. */
export async function serveClass(
  participants: readonly ParticipantState[],
  exercise: string,
  live: string,
): Promise<RecordedClass> {
  const exercises = recordedExercises()
  const loaded = loadExercise(exercise)
  const summary = exercises.find(({ name }) => name === exercise)
  if (summary === undefined) throw new Error(`there is no exercise ${exercise}`)
  const start = Date.now() - 52 * 60_000
  const messages: Message[] = []
  let me: Me = {
    ...{
      vethlab: '0',
      role: 'participant',
      name: 'ada',
      classTitle: 'Service networking',
      exercises,
      messages,
    },
    assisted: false,
  }
  const textsOf = (language: 'en' | 'ko', hints: number) => {
    const { title, task, hints: all, remember } = loaded.texts[language] ?? loaded.texts.en
    return { title, task, hints: all.slice(0, hints), remember }
  }
  let view: ExerciseView = {
    ...{
      ...summary,
      texts: { en: textsOf('en', 0), ko: textsOf('ko', 0) },
      running: false,
      places: [],
      quizzes: [],
    },
    hints: { shown: 0, all: loaded.texts.en.hints.length },
  }
  let state: ClassState = {
    ...{ vethlab: '0', title: 'Service networking', startedAt: start, participants, messages, ended: false },
    exercises: exercises.map(({ state: _state, ...one }, index) => ({
      ...{ ...one, solved: participants.filter((who) => who.states[one.name] === 'solved').length },
      ...{
        running: participants.filter((who) => who.exercise === one.name).length,
        faults: [`fault ${index}`],
      },
    })),
  }
  const calls: (readonly [string, unknown])[] = []
  const typed: Record<string, string> = {}
  const terminals = new Map<string, { readonly place: string; output?: ServerResponse }>()
  const streams = new Map<ServerResponse, Me['role']>()
  const send = (to: Me['role'], name: string, data: unknown) => {
    for (const [stream, role] of streams)
      if (role === to) stream.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const setMe = (change: Partial<Me>) => send('participant', 'me', (me = { ...me, ...change }))
  const setView = (change: Partial<ExerciseView>) => {
    view = { ...view, ...change }
    send('participant', 'exercise', { name: exercise })
  }
  const setClass = (change: Partial<ClassState>) =>
    send('trainer', 'class', (state = { ...state, ...change }))
  const act = (
    path: string,
    body: { text?: string; to?: string; open?: boolean; exercise?: string; names?: string[] },
  ): unknown => {
    calls.push([path, body])
    const [, name, action] = /^\/exercises\/([^/]+)\/(\w+)/.exec(path) ?? []
    if (action === 'check') {
      const failed = loaded.checks.filter(({ guard }) => !guard)
      const says = (check: string): Texts => ({
        en: loaded.texts.en.checks[check] ?? '',
        ko: loaded.texts.ko?.checks[check] ?? '',
      })
      const all = loaded.checks.length
      const lastCheck = {
        ...{ at: Date.now(), all, passed: all - failed.length, solved: false },
        failed: failed.map((check) => ({ name: check.name, says: says(check.name) })),
      }
      view = { ...view, lastCheck }
      return lastCheck
    }
    if (action === 'hint') {
      const shown = Math.min(view.hints.shown + 1, view.hints.all)
      const texts = { en: textsOf('en', shown), ko: textsOf('ko', shown) }
      return (view = { ...view, hints: { ...view.hints, shown }, texts })
    }
    if (action === 'solution') return (view = { ...view, solution: loaded.solution })
    if (name !== undefined) {
      view = { ...view, running: true, state: 'started', places: recordedPlaces() }
      setMe({ current: name, lab: { exercise: name, startedAt: Date.now() } })
      return view
    }
    if (path === '/messages') {
      messages.push({ id: messages.length, at: Date.now(), text: body.text ?? '', to: body.to })
      setMe({ messages: [...messages] })
      return (state = { ...state, messages: [...messages] })
    }
    if (path === '/locks')
      return (state = {
        ...state,
        exercises: state.exercises.map((one) =>
          body.exercise === undefined || body.exercise === one.name
            ? { ...one, open: body.open === true }
            : one,
        ),
      })
    if (path === '/participants') return linksOf(body.names ?? [])
    const [, linked] = /^\/participants\/([^/]+)\/link$/.exec(path) ?? []
    if (linked !== undefined) return linksOf([linked])
    if (path === '/faults')
      return { participants: participants.slice(0, 3).map((one) => ({ name: one.name, ok: true })) }
    return path === '/language' ? me : state
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const role = /role=trainer/.test(request.headers.cookie ?? '') ? 'trainer' : 'participant'
    const file = files[path]
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (file !== undefined) return response.writeHead(200, { 'content-type': file[0] }).end(pageFile(file[1]))
    if (path === '/') {
      const cookie = `role=${/trainer/.test(request.url ?? '') ? 'trainer' : 'participant'}`
      return response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookie }).end(document)
    }
    const [, below] = /^(?:\/participants\/[^/]+)?\/lab(\/.*)$/.exec(path) ?? []
    const [, terminal = '', part] = /^\/api\/v1\/terminals(?:\/(\d+)\/(\w+))?$/.exec(below ?? '') ?? []
    if (below?.startsWith('/api/v1/terminals') === true)
      return void bodyOf(request).then((body) => {
        const one = terminals.get(terminal)
        if (part === 'output' && one !== undefined) {
          response.writeHead(200, { 'content-type': 'application/octet-stream' })
          one.output = response
          return response.write(`${exercise} ${one.place} / # `)
        }
        if (part === 'input' && one !== undefined) {
          const { text = '' } = body as { text?: string }
          typed[one.place] = (typed[one.place] ?? '') + text
          one.output?.write(text.replaceAll('\r', `\r\n${exercise} ${one.place} / # `))
        }
        if (terminal === '' && request.method === 'POST') {
          const id = String(terminals.size + 1)
          terminals.set(id, { place: (body as { place: string }).place })
          return json({ id })
        }
        return json({})
      })
    if (below !== undefined) return proxy(request, response, live, below)
    if (path === '/api/v1/me') return json({ ...me, role })
    if (path === '/api/v1/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const [name, data] = role === 'trainer' ? ['class', state] : ['me', me]
      response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      streams.set(response, role)
      return response.on('close', () => streams.delete(response))
    }
    if (request.method === 'GET') return json(path.startsWith('/api/v1/exercises/') ? view : {})
    return void bodyOf(request).then((body) => json(act(path.slice('/api/v1'.length), body as object)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (role) => `http://127.0.0.1:${port}/?${role}`,
    ...{ calls, typed, setMe, setView, setClass },
    end: (reason) => {
      for (const stream of streams.keys()) stream.write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The places of the recorded lab `nodeport`. */
function recordedPlaces(): ExerciseView['places'] {
  return [
    ...['node-a', 'node-b'].map((name) => ({ kind: 'node' as const, name, netns: name })),
    { kind: 'client', name: 'client', netns: 'client' },
    { kind: 'pod', name: 'caller', netns: 'caller' },
  ]
}

function linksOf(names: readonly string[]): NewLinks {
  return { links: names.map((name) => ({ name, url: `http://class.example/?token=${name}` })) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
  return text === '' ? {} : JSON.parse(text)
}

function proxy(request: IncomingMessage, response: ServerResponse, live: string, path: string): void {
  const { method = 'GET', headers } = request
  const onward = sendTo(new URL(path, live), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
