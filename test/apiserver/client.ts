import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { ApiServer } from '../../src/host/kubeApi/server.js'

/** A complete response; the body is not parsed. */
export interface Received {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  readonly json: unknown
}

export interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: Buffer | string
  /** Sends no token. */
  readonly anonymous?: boolean
}

/** The token of the servers of tests that require one. */
export const token = 'the-token'

/** The Accept header of kube-proxy's client. */
export const protobufFirst = { Accept: 'application/vnd.kubernetes.protobuf, */*' }

/** The Accept header of kubectl get. */
export const tableFirst = {
  Accept:
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
}

/** Sends one request, with the token unless it has other credentials, and reads the whole response. */
export async function ask(server: ApiServer, path: string, asked: Asked = {}): Promise<Received> {
  const response = await open(server, path, asked)
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const text = body.toString()
  return {
    code: response.statusCode ?? 0,
    headers: response.headers,
    body,
    text,
    get json() {
      return JSON.parse(text) as unknown
    },
  }
}

function open(server: ApiServer, path: string, asked: Asked, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', body } = asked
    // Without it, node sends the body of a DELETE as if it were the next request.
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const credentials = asked.anonymous === true ? {} : { Authorization: `Bearer ${token}` }
    const headers = { ...credentials, ...asked.headers, ...length }
    const target = {
      host: server.address,
      port: server.port,
      path,
      method,
      headers,
      ...(agent ? { agent } : {}),
    }
    request(target, resolve).on('error', reject).end(body)
  })
}

/** A watch that is being read; its lines are not parsed. */
export interface OpenWatch {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly lines: readonly string[]
  readonly events: readonly WatchedEvent[]
  /** True when the server ended the chunked encoding properly; false when the connection was cut. */
  readonly ended: Promise<boolean>
  /** Waits for this many lines. */
  count(lines: number): Promise<void>
  /** Waits for an event among the lines. */
  until(wanted: (event: WatchedEvent) => boolean): Promise<WatchedEvent>
  /** Cuts the connection, as a network failure does. */
  cut(): void
}

export interface WatchedEvent {
  type: string
  object: {
    kind: string
    metadata: {
      name: string
      namespace?: string
      resourceVersion: string
      annotations?: Record<string, string>
    }
    [field: string]: unknown
  }
}

/** Starts a watch on its own connection. */
export async function watch(server: ApiServer, path: string, headers = protobufFirst): Promise<OpenWatch> {
  const response = await open(server, path, { headers }, new Agent())
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let partial = ''
  let over = false
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  response.on('data', (chunk: Buffer) => {
    const [last = '', ...whole] = (partial + chunk.toString()).split('\n').toReversed()
    partial = last
    lines.push(...whole.toReversed())
    wake()
  })
  response.on('error', () => {})
  const ended = new Promise<boolean>((resolve) => {
    response.on('close', () => {
      over = true
      resolve(response.complete)
      wake()
    })
  })
  const events = () => lines.map((line) => JSON.parse(line) as WatchedEvent)
  const until = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const check = () => {
        const found = find()
        if (found === undefined && !over) return
        waiting.delete(check)
        if (found === undefined) reject(new Error(`the watch ended after\n${lines.join('\n')}`))
        else resolve(found)
      }
      waiting.add(check)
      check()
    })
  return {
    code: response.statusCode ?? 0,
    headers: response.headers,
    lines,
    get events() {
      return events()
    },
    ended,
    count: (wanted) => until(() => (lines.length >= wanted ? true : undefined)).then(() => undefined),
    until: (wanted) => until(() => events().find(wanted)),
    cut: () => response.destroy(),
  }
}
