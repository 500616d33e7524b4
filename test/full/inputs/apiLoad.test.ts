import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import t from 'tap'
import { makeCertificate } from '../../../src/host/certificate.js'
import { securePortOf } from '../../../src/host/kubeApi/securePort.js'
import { apiListens, type ApiObjects, type ApiStart } from '../../../src/host/kubeProxy/apiOrder.js'
import { service } from '../../apiserver/objects.js'

t.setTimeout(1_800_000)

const watchers = 1500
const bodyMegabytes = 200
const host = '127.0.0.1'
const token = randomBytes(8).toString('hex')
const headers = { Authorization: `Bearer ${token}` }
const path = '/api/v1/namespaces/lab/services'

/** Two free ports in a row. */
async function freePorts(): Promise<number> {
  const listen = async (port: number) => {
    const server = createServer().listen(port, host)
    await once(server, 'listening')
    return server
  }
  for (;;) {
    const first = await listen(0)
    const { port } = first.address() as AddressInfo
    const second = await listen(securePortOf(port)).catch(() => undefined)
    for (const server of [first, second]) server?.close()
    if (second !== undefined) return port
  }
}

const port = await freePorts()
const secure = { host, port: securePortOf(port), rejectUnauthorized: false }
const api = spawn(process.execPath, ['dist/cli.cjs', 'serve-api', '--host', host, '--port', String(port)], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
t.teardown(() => api.kill())
const order = (line: ApiStart | ApiObjects) => api.stdin.write(`${JSON.stringify(line)}\n`)
order({
  objects: [service('first')],
  builtIn: [],
  state: 0,
  access: { ...makeCertificate({ hosts: [host], days: 1 }, new Date()), token },
})
for await (const line of createInterface({ input: api.stdout })) if (line === apiListens) break

function memory({ pid = 0 }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
}

/** proc(5): the peak is measured again from here. */
function forgetPeak({ pid = 0 }: ChildProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

async function post(megabytes: number): Promise<number> {
  const sending = request({
    ...secure,
    path,
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
  const answered = once(sending, 'response') as Promise<[{ statusCode: number; resume(): void }]>
  const block = Buffer.alloc(2 ** 20, ' ')
  for (let sent = 0; sent < megabytes; sent++) if (!sending.write(block)) await once(sending, 'drain')
  sending.end()
  const [response] = await answered
  response.resume()
  return response.statusCode
}

t.test('a body of 200 MB on the HTTPS port is rejected, and not kept', async (t) => {
  t.equal(await post(4), 413)
  const before = memory(api, 'VmRSS')
  forgetPeak(api)
  t.equal(await post(bodyMegabytes), 413)
  const grown = memory(api, 'VmHWM') - before
  t.comment(
    `figure: a body of ${bodyMegabytes} MB is rejected; the API's memory grows by ${grown.toFixed(0)} MB meanwhile`,
  )
  t.ok(grown < bodyMegabytes / 2, `${grown} MB`)
})

t.test('1,500 watches at once on the HTTPS port', async (t) => {
  const before = memory(api, 'VmRSS')
  const agent = new Agent({ maxSockets: Infinity })
  const received: string[] = []
  let all: () => void = () => undefined
  const done = new Promise<void>((resolve) => (all = resolve))
  const open = async () => {
    const asking = request({ ...secure, path: `${path}?watch=true&resourceVersion=0`, headers, agent })
    asking.end()
    const [response] = (await once(asking, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
    // The watches are cut at the end.
    const lines = createInterface({ input: response }).on('error', () => undefined)
    await once(lines, 'line')
    lines.on('line', (line: string) => {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name: string } } }
      if (received.push(`${type} ${object.metadata.name}`) === watchers * 2) all()
    })
    return response.statusCode
  }
  const codes: number[] = []
  // Connections wait to be accepted in a queue of 511.
  while (codes.length < watchers) codes.push(...(await Promise.all(Array.from({ length: 100 }, open))))
  t.ok(codes.every((code) => code === 200))
  const held = memory(api, 'VmRSS') - before
  const start = performance.now()
  order({ objects: [service('second')], state: 1 })
  await done
  const ms = performance.now() - start
  t.equal(received.filter((event) => event === 'ADDED second').length, watchers)
  t.equal(received.filter((event) => event === 'DELETED first').length, watchers)
  t.comment(
    `figure: ${watchers} watches over HTTPS take ${held.toFixed(0)} MB; two changes reach all of them in ${ms.toFixed(0)} ms`,
  )
  agent.destroy()
})
