import type { ExerciseView, CheckResult } from '../../../src/view/class/api.js'
import type { ClassState } from '../../../src/view/class/trainerApi.js'
import { commandAction, type CommandAction } from '../../../src/view/page/class/commandAction.js'
import type { LiveLab, OpenedTerminal } from '../../../src/view/live/api.js'
import type { Exercise } from '../../../src/lab/workshop/types.js'
import type { Person } from '../../kernel/servedClass.js'
import { until } from '../../until.js'

/** Solves an exercise as its page does: reads the task, runs the commands of the solution in the lab, and checks it. */
export async function solveInBrowser(person: Person, { name, solution }: Exercise): Promise<CheckResult> {
  const path = `/exercises/${name}`
  const { texts, running } = await person.post<ExerciseView>(`${path}/start`)
  if (!running || texts.en.task === '') throw new Error(`${name} was not started`)
  await (await person.call('GET', '/lab/')).text()
  const broken = await person.post<CheckResult>(`${path}/check`)
  if (broken.solved) throw new Error(`${name} is solved from the start`)
  const lab = (await (await person.call('GET', '/lab/api/v1/lab')).json()) as LiveLab
  for (const command of solution) await carryOut(person, lab, command)
  let last = broken
  // the lab settles after a change
  await until(async () => (last = await person.post<CheckResult>(`${path}/check`)).solved)
  return last
}

async function carryOut(person: Person, lab: LiveLab, command: string): Promise<void> {
  const action: CommandAction | undefined = commandAction(command, true)
  if (action?.kind === 'restart') {
    const nodes = lab.topology.nodes.filter((node) => node.name === (action.node ?? node.name))
    for (const node of nodes) await answered(person, 'POST', `/lab/api/v1/nodes/${node.name}/kube-proxy`, {})
  } else if (action?.kind === 'type') {
    const isPlace = (one: LiveLab['places'][string]) =>
      action.place === undefined ? one.kind === 'node' : one.name === action.place
    const [place] = Object.entries(lab.places).find(([, one]) => isPlace(one)) ?? []
    await typeIn(person, place ?? '', action.text)
  } else throw new Error(`a page does not run "${command}"`)
}

/** Types a command into a new terminal, and waits for its end. */
async function typeIn(person: Person, place: string, text: string): Promise<void> {
  const terminals = '/lab/api/v1/terminals'
  const opened = await answered(person, 'POST', terminals, { place, rows: 24, columns: 200 })
  const { id } = (await opened.json()) as OpenedTerminal
  const output = await answered(person, 'GET', `${terminals}/${id}/output`)
  // the typed line has no number after the word
  await answered(person, 'POST', `${terminals}/${id}/input`, { text: `${text}; echo "ended: $?"\r` })
  let shown = ''
  for await (const part of output.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    shown += part
    const code = /ended: (\d+)/.exec(shown)?.[1]
    if (code === '0') break
    if (code !== undefined) throw new Error(`${text} exited with ${code}:\n${shown}`)
  }
  if (!shown.includes('ended: 0')) throw new Error(`the terminal ended:\n${shown}`)
  await answered(person, 'DELETE', `${terminals}/${id}`).catch((error: unknown) => {
    // the end of the output closes it too
    if (!String(error).includes('404')) throw error
  })
}

async function answered(person: Person, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await person.call(method, path, body)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

/** A person whose requests are timed: `note` gets the time until the answer of each, in milliseconds. */
export function timed(person: Person, note: (ms: number, request: string) => void): Person {
  const time = async <Answer>(request: string, act: () => Promise<Answer>): Promise<Answer> => {
    const begin = performance.now()
    try {
      return await act()
    } finally {
      note(performance.now() - begin, request)
    }
  }
  return {
    cookie: person.cookie,
    call: (method, path, body) => time(`${method} ${path}`, () => person.call(method, path, body)),
    get: (path) => time(`GET ${path}`, () => person.get(path)),
    post: (path, body) => time(`POST ${path}`, () => person.post(path, body)),
  }
}

/** The page of the trainer: the states that its events have shown. */
export interface TrainerPage {
  /** Resolves when an event has shown a state. */
  shows(what: (state: ClassState) => boolean): Promise<void>
  close(): Promise<void>
}

/** Follows the events of the trainer's page. */
export async function openTrainerPage(trainer: Person): Promise<TrainerPage> {
  const response = await answered(trainer, 'GET', '/api/v1/events')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let last: ClassState | undefined
  let waiting: (() => void)[] = []
  const follow = async () => {
    let text = ''
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      const events = (text + part.value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: class\n(?:.*\n)*?data: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) last = JSON.parse(data) as ClassState
      }
      const heard = waiting
      waiting = []
      heard.forEach((resolve) => resolve())
    }
  }
  const ended = follow()
  return {
    async shows(what) {
      while (last === undefined || !what(last))
        await Promise.race([
          new Promise<void>((resolve) => waiting.push(resolve)),
          ended.then(() => {
            throw new Error('the events of the trainer have ended')
          }),
        ])
    },
    async close() {
      await reader?.cancel()
    },
  }
}
