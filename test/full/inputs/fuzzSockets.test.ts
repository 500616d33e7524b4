import { connect } from 'node:net'
import { basename } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parse } from 'yaml'
import { startApiServer } from '../../../src/host/kubeApi/server.js'
import { createStore } from '../../../src/apiserver/store.js'
import { controlSocketOf } from '../../../src/host/controlSocket.js'
import { ask } from '../../apiserver/client.js'
import { lab as objects } from '../../apiserver/objects.js'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab } from '../../kernel/commandLine.js'
import { runs } from '../../suite.js'
import { damaged } from './damage.js'
import { fault } from '../faults/faultTable.js'
import { nothingLeft } from '../faults/kill.js'
import { seed } from '../faults/rounds.js'
import { cannotWatch, patienceMs, watched } from '../faults/watched.js'

t.setTimeout(1_800_000)
t.comment(`figure: seed ${seed}`)

/** Sends bytes to a socket; resolves with what comes back until a line is whole, or the other end closes. */
function send(where: { path: string } | { host: string; port: number }, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(where)
    let answer = ''
    const timer = setTimeout(
      () => reject(new Error(`no answer to ${JSON.stringify(text.slice(0, 200))}`)),
      patienceMs,
    )
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part
      if (answer.includes('\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    socket.end(text)
  })
}

const web = { kind: 'Deployment', namespace: 'default', name: 'my-app' }
const orders = [
  { do: 'state' },
  { do: 'proxy-state' },
  { do: 'lab-state' },
  {
    do: 'apply',
    files: [{ path: 'a.yaml', text: 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n' }],
  },
  { do: 'write', writes: [{ verb: 'scale', ref: web, replicas: 3 }] },
  { do: 'write', writes: [{ verb: 'delete', ref: web }] },
  { do: 'node', node: 'node-b', state: 'up' },
  { do: 'restart-kube-proxy', node: 'node-a' },
  { do: 'exercise', part: 'checks' },
].map((order) => ({ text: JSON.stringify(order) }))

fault(
  'inputs/fuzzSockets',
  'a damaged order to a running lab',
  { skip: cannotRun || cannotWatch, timeout: 900_000 },
  async (t) => {
    const ground = watched(t)
    const path = copyOfLab(t, 'nodeport')
    const up = await ground.run(['up', path])
    t.equal(up.code, 0, up.stderr)
    const [holder = 0] = [...ground.processes()]
      .filter(([, words]) => / hold \S+ ?$/.test(words))
      .map(([pid]) => pid)
    const socket = controlSocketOf(holder) ?? ''
    let rejected = 0
    const count = runs(300, 20)
    for (const { text } of fc.sample(damaged(orders), { numRuns: count, seed })) {
      const answer = await send({ path: socket }, `${asJson(text)}\n`)
      if (answer === '') continue
      const { error, exitCode } = JSON.parse(answer.split('\n')[0] ?? '') as {
        error?: string
        exitCode?: number
      }
      if (error === undefined) continue
      rejected++
      if (exitCode !== 2) t.fail(`exit code ${exitCode} for ${text.slice(0, 200)}`, { error })
    }
    t.ok(rejected > count / 2, `${rejected} of ${count} were rejected`)
    const lab = basename(path)
    t.equal((await ground.run(['exec', lab, 'client', '--', 'true'])).code, 0, 'the lab answers')
    t.equal((await ground.run(['down', lab])).code, 0)
    await nothingLeft(t, ground, 'down')
    t.comment(`figure: ${count} damaged orders to a lab that is up: ${rejected} rejected with a reason`)
  },
)

/** Values that were replaced are an order again, of another form; other damage is left as it is. */
function asJson(text: string): string {
  try {
    return JSON.stringify(parse(text))
  } catch {
    return text
  }
}

const requests = [
  'GET /api/v1/services?limit=2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /api/v1/namespaces/default/services/web?pretty=true HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /apis/discovery.k8s.io/v1/endpointslices?labelSelector=a%3Db,c%20in%20(d)&fieldSelector=metadata.name=x HTTP/1.1\r\nHost: a\r\nAccept: application/json;as=Table;v=v1;g=meta.k8s.io\r\nConnection: close\r\n\r\n',
  'GET /api/v1/pods?watch=true&timeoutSeconds=1&resourceVersion=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'POST /api/v1/namespaces/default/pods HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
].map((text) => ({ text }))

fault(
  'inputs/fuzzSockets',
  'a damaged request to the Kubernetes API of a lab',
  { timeout: 900_000 },
  async (t) => {
    const server = await startApiServer(createStore(objects), { host: '127.0.0.1', port: 0 })
    t.teardown(() => server.close())
    const count = runs(400, 20)
    const codes = new Map<string, number>()
    const text = fc
      .tuple(damaged(requests, { nodes: false }), fc.constantFrom('', '\r\n\r\n'))
      .map(([one, end]) => one.text + end)
    for (const request of fc.sample(text, { numRuns: count, seed })) {
      const answer = await send({ host: server.address, port: server.port }, request)
      const code = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'
      codes.set(code, (codes.get(code) ?? 0) + 1)
      if (code.startsWith('5')) t.fail(`code ${code} for ${JSON.stringify(request.slice(0, 300))}`)
    }
    t.equal((await ask(server, '/livez')).code, 200, 'it answers the next request')
    t.comment(
      `figure: ${count} damaged requests to the API: ${[...codes].map(([code, times]) => `${code} × ${times}`).join(', ')}`,
    )
  },
)
