import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { ApiServer } from '../../../src/host/kubeApi/server.js'
import { kubectlHome, needsKubectl } from '../kubectlHome.js'
import { token } from '../client.js'
import { servePods, withToken } from './podServer.js'
import { spdyClient } from './spdyClient.js'

const path = '/api/v1/namespaces/lab/pods/web-a/portforward'
const authorization = `Bearer ${token}`

/** A server that answers what it is sent once the client has ended, in capitals. */
async function capitals(t: { after(end: () => unknown): void }): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    let sent = ''
    socket.on('data', (chunk: Buffer) => (sent += chunk.toString()))
    socket.on('end', () => socket.end(sent.toUpperCase()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function askUpgrade({ address, port }: ApiServer, protocol: string) {
  const headers = { authorization, Connection: 'Upgrade', Upgrade: 'SPDY/3.1' }
  const asked = request({
    ...{ host: address, port, path, method: 'POST' },
    headers: { ...headers, 'X-Stream-Protocol-Version': protocol },
  })
  asked.end()
  return asked
}

async function overSpdy(server: ApiServer): Promise<Socket> {
  const [response, socket] = (await once(askUpgrade(server, 'portforward.k8s.io'), 'upgrade')) as [
    { headers: Record<string, string> },
    Socket,
  ]
  if (response.headers['x-stream-protocol-version'] !== 'portforward.k8s.io') throw new Error('protocol')
  return socket
}

void t.test('connections over SPDY', async (t) => {
  const { server } = await servePods(t)
  const connection = await overSpdy(server)
  const client = spdyClient(connection)
  const forward = async (port: number, requestid: number) => {
    const headers = { port: String(port), requestid: String(requestid) }
    const errors = await client.open({ streamtype: 'error', ...headers })
    errors.end()
    return { errors, data: await client.open({ streamtype: 'data', ...headers }) }
  }
  const good = await capitals(t)
  const first = await forward(good, 0)
  const second = await forward(good, 1)
  const big = 'abcdefgh'.repeat(100_000)
  for (let start = 0; start < big.length; start += 32_768) first.data.send(big.slice(start, start + 32_768))
  second.data.send('two')
  await client.ping(7)
  second.data.end()
  t.equal(await second.data.text, 'TWO')
  first.data.end()
  t.ok((await first.data.text) === big.toUpperCase())
  t.equal(await first.errors.text, '')

  const refused = await forward(await closedPort(), 2)
  t.match(await refused.errors.text, /failed to connect to localhost:\d+ .*Connection refused/)
  t.equal(await refused.data.text, '')
  const wrong = await client.open({ streamtype: 'data', port: '80', requestid: '9' })
  await t.rejects(wrong.text, 'data without its error stream')
  connection.destroy()
})

void t.test('bytes that are not SPDY end the connection', async (t) => {
  const { server } = await servePods(t)
  const connection = await overSpdy(server)
  connection.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'.padStart(1000, '\x80')))
  await once(connection, 'close')
})

void t.test('another protocol is rejected', async (t) => {
  const { server } = await servePods(t)
  const [response] = (await once(askUpgrade(server, 'v9'), 'response')) as [
    NodeJS.ReadableStream & { statusCode: number },
  ]
  t.equal(response.statusCode, 403)
  t.match(await text(response), /client supports \[v9\], server accepts \[portforward.k8s.io\]/)
})

void t.test('kubectl port-forward', needsKubectl, async (t) => {
  const { server } = await servePods(t)
  const { upgrades, ...proxy } = await withToken(t, server)
  const env = kubectlHome(t, proxy)
  for (const [webSockets, upgrade] of [
    ['true', 'websocket'],
    ['false', 'SPDY/3.1'],
  ] as const) {
    const port = await capitals(t)
    const child = spawn('kubectl', ['port-forward', '-n', 'lab', 'web-a', `:${port}`], {
      env: { ...env, KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: child.stdout })) {
      const local = Number(/^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1])
      const socket = connect({ port: local, host: '127.0.0.1', allowHalfOpen: true })
      socket.end('through')
      t.equal(await text(socket), 'THROUGH')
      t.equal(upgrades.at(-1), upgrade)
      break
    }
    child.kill()
    await once(child, 'close')
  }
})
