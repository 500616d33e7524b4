import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { pageFile } from '../../../src/host/builtFiles.js'
import type {
  LiveEvents,
  LiveLab,
  LiveRequest,
  NodeRules,
  RequestOutcome,
  RequestRun,
} from '../../../src/view/live/api.js'
import type { ReportDocument } from '../../../src/view/report/document.js'

/** A lab as pages see it, and a request to it with its path. */
export interface Recording {
  readonly lab: LiveLab
  readonly outcome: RequestOutcome
  /** Answers of its API that are not empty, by the start of their paths below /api/v1. */
  readonly answers?: Readonly<Record<string, unknown>>
}

/** Reads from an HTML report of a run: the lab, and the first flow of which the rules are known. */
export function recordingOf(file: string): Recording {
  const [, text = ''] =
    /<script type="application\/gzip" id="report">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? []
  const report = JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as ReportDocument
  const [one] = report.labs
  const [topology] = one?.topologies ?? []
  if (one === undefined || topology === undefined) throw new Error('the report has no lab')
  const found = one.report.steps.flatMap(({ flows }, step) =>
    flows.map((flow, at) => ({ flow, path: one.steps[step]?.paths[at] })),
  )
  const known = found.find(({ path }) => path !== undefined && 'path' in path)
  if (known?.path === undefined) throw new Error('the report has no path')
  const answer = { status: 200, pod: 'default/my-app', milliseconds: 3, body: 'hello' }
  const places = Object.entries(one.places).map(([netns, place]) => [
    netns,
    { ...place, interfaces: ['eth0'] },
  ])
  return {
    lab: {
      ...{ vethlab: report.vethlab, lab: one.report.lab, title: one.report.title, mode: one.report.mode },
      ...{ backend: 'nft', families: ['IPv4'], startedAt: 0, topology, readOnly: false, downLinks: [] },
      places: Object.fromEntries(places) as LiveLab['places'],
    },
    outcome: {
      ...{ outcome: 'HTTP 200', passed: true, answer, flow: known.flow, path: known.path },
      ...{ differences: [], paths: [] },
    },
  }
}

/** A server of a recording: every request has the recorded outcome. */
export interface RecordedLab {
  readonly url: string
  /** Sends an event to every page. */
  emit<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void
  /** Breaks the connections of all pages, and each new one. */
  disconnect(): void
  /** Takes connections again. */
  connect(): void
  close(): void
}

const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>vethlab</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/style.css"></head>
<body><div id="app"></div><script type="module" src="/live.js"></script></body></html>`

/** Answers to what panes read, by the start of the path: nothing was recorded of it. */
const emptyAnswers: Readonly<Record<string, unknown>> = {
  '/nodes/': { node: 'node-a', family: 'IPv4', isLive: true, chains: [] } satisfies NodeRules,
  '/places/': {
    ...{ netns: 'node-a', kind: 'node', name: 'node-a', interfaces: [] },
    ...{ addresses: [], routes: [], sockets: [], conntrack: [] },
  },
  '/links/': [],
  '/kubernetes/apis': { groups: [] },
  '/kubernetes/api/v1': { groupVersion: 'v1', resources: [] },
}

/** Serves the live page and the part of its API that a recording answers, on a free port of 127.0.0.1. */
export async function serveRecording({ lab, outcome, answers }: Recording): Promise<RecordedLab> {
  const others = Object.entries({ ...emptyAnswers, '/requests/': outcome.path, ...answers }).toSorted(
    // the most exact path first
    ([a], [b]) => b.length - a.length,
  )
  const pages = new Set<ServerResponse>()
  const runs: RequestRun[] = []
  let isOffline = false
  const emit: RecordedLab['emit'] = (name, data) => {
    for (const page of pages) page.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const answer = (response: ServerResponse, type: string, body: string, status = 200) =>
    response.writeHead(status, { 'content-type': type }).end(body)
  const json = (response: ServerResponse, value: unknown, status?: number) =>
    answer(response, 'application/json', JSON.stringify(value), status)
  const server = createServer((request, response) => {
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return answer(response, 'text/html', document)
      case 'GET /style.css':
        return answer(response, 'text/css', pageFile('style.css'))
      case 'GET /live.js':
        return answer(response, 'text/javascript', pageFile('live.js'))
      case 'GET /sentences.js':
        return answer(response, 'text/javascript', pageFile('sentences.js'))
      case 'GET /favicon.ico':
        return answer(response, 'image/x-icon', '')
      case 'GET /api/v1/requests':
        return json(response, runs)
      case 'GET /api/v1/events':
        if (isOffline) return request.socket.destroy()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`retry: 50\nevent: lab\ndata: ${JSON.stringify(lab)}\n\n`)
        pages.add(response)
        return response.on('close', () => pages.delete(response))
      case 'POST /api/v1/requests': {
        let body = ''
        request.on('data', (chunk: Buffer) => (body += chunk.toString()))
        return request.on('end', () => {
          const asked = JSON.parse(body) as LiveRequest
          if (!asked.to.includes(':'))
            return json(response, { error: `no port in ${asked.to}`, hint: 'add one' }, 400)
          const run: RequestRun = { id: runs.length + 1, request: asked, startedAt: 0, result: outcome }
          // as the server does: paths are read when they are shown
          const { path: _path, ...summary } = outcome
          const listed = { ...run, result: summary }
          runs.push(listed)
          emit('request', { ...run, result: undefined, phase: 'reading' })
          emit('request', listed)
          return json(response, run)
        })
      }
      default: {
        const found = others.find(([path]) => request.url?.startsWith(`/api/v1${path}`))
        return found === undefined ? json(response, { error: 'not found' }, 404) : json(response, found[1])
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connect = () => void (isOffline = false)
  const disconnect = () => {
    isOffline = true
    pages.forEach((page) => page.destroy())
  }
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, emit, disconnect, connect, close }
}
