import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { writeLab } from '../generatedLab.js'
import type { Figure, Row } from '../row.js'
import { settled } from '../settled.js'
import { timed } from '../timed.js'
import { root } from '../workspace.js'

const pods = 250
const turns = 5

/** The page of a lab of many pods: what a browser waits for, and gets, to predict and to send a request. */
export const page: Row = {
  name: 'page',
  async measure({ cli, folder }) {
    const lab = writeLab(folder(`bench-page-${process.pid}`), { nodes: 2, pods })
    const name = basename(lab)
    const vethlab = (...args: readonly string[]) => timed([process.execPath, cli, ...args], root)
    await vethlab('up', lab)
    try {
      const opened = await openPage(cli, name)
      try {
        return await figuresOf(opened)
      } finally {
        opened.close()
      }
    } finally {
      await vethlab('down', name)
    }
  },
}

interface Opened {
  /** The answer of a path of the page’s server. */
  readonly get: (path: string, body?: object) => Promise<string>
  close(): void
}

async function openPage(cli: string, name: string): Promise<Opened> {
  const server = spawn(process.execPath, [cli, 'view', name], { stdio: ['ignore', 'pipe', 'ignore'] })
  let url = ''
  for await (const line of createInterface({ input: server.stdout })) {
    url = /http:\S+/.exec(line)?.[0] ?? ''
    if (url !== '') break
  }
  const { origin } = new URL(url)
  const { headers } = await fetch(url)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return {
    async get(path, body) {
      const json = body && { 'content-type': 'application/json' }
      const answer = await fetch(`${origin}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { cookie, origin, ...json },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
      return text
    },
    close: () => void server.kill('SIGINT'),
  }
}

async function figuresOf({ get }: Opened): Promise<Figure[]> {
  const request = { from: 'client', to: 'http://{node-1}:30080/', protocol: 'tcp' }
  const size = (what: string, text: string, most: number): Figure => ({
    ...{ what: `${pods} pods: ${what}`, unit: 'MB', measured: [text.length / 1e6], bound: { most } },
  })
  const answers = { predict: '', send: '' }
  const times: { readonly predict: number[]; readonly send: number[] } = { predict: [], send: [] }
  for (let turn = 0; turn < turns; turn++)
    for (const kind of ['predict', 'send'] as const) {
      await settled()
      const before = performance.now()
      answers[kind] = await get('/api/v1/requests', { ...request, predict: kind === 'predict' })
      times[kind].push(performance.now() - before)
    }
  const html = await get('/')
  return [
    { what: `${pods} pods: Predict`, unit: 'ms', measured: times.predict, bound: { most: 1000 } },
    { what: `${pods} pods: Send`, unit: 'ms', measured: times.send, bound: { most: 1000 } },
    size('the answer of Predict', answers.predict, 1),
    size('the answer of Send', answers.send, 1),
    size('the lab with its topology', await get('/api/v1/lab'), 1),
    size('the list of all pods', await get('/api/v1/kubernetes/api/v1/pods'), 1),
    {
      ...{ what: 'the page, compressed', unit: 'MB', bound: { most: 0.06 } },
      measured: [gzipSync(html).length / 1e6],
    },
  ]
}
