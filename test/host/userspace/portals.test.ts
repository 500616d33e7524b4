import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { connect, createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { openTcpPortal } from '../../../src/host/userspace/tcpPortal.js'
import { openUdpPortal } from '../../../src/host/userspace/udpPortal.js'

/** A TCP server that says its name, then what it hears. */
async function tcpEndpoint(t: Test, name: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write(`${name} `)
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A port where nobody listens: it was bound, and given back. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}

/** What a client hears that says one word, until `length` bytes have come or the connection ends. */
async function say(port: number, word: string, length: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('error', () => undefined)
  socket.write(word)
  for await (const part of socket) {
    heard += String(part)
    if (heard.length >= length) break
  }
  socket.destroy()
  return heard
}

t.test('TCP: connections go where they are sent to, and bytes both ways', async (t) => {
  const endpoints = [await tcpEndpoint(t, 'one'), await tcpEndpoint(t, 'two')]
  const clients: string[] = []
  const portal = await openTcpPortal('127.0.0.1', 0, (client) => {
    clients.push(client)
    return endpoints[clients.length - 1]
  })
  t.teardown(() => portal.close())
  t.equal(await say(portal.port, 'hello', 9), 'one hello')
  t.equal(await say(portal.port, 'hello', 9), 'two hello')
  t.same(clients, ['127.0.0.1', '127.0.0.1'])
})

t.test('TCP: an endpoint that refuses is left for the next', async (t) => {
  const [gone, there] = [await closedPort(), await tcpEndpoint(t, 'here')]
  const asked: boolean[] = []
  const portal = await openTcpPortal('127.0.0.1', 0, (_, failed) => {
    asked.push(failed)
    return failed ? there : gone
  })
  t.teardown(() => portal.close())
  t.equal(await say(portal.port, 'x', 6), 'here x')
  t.same(asked, [false, true])
})

t.test('TCP: without endpoints a client is accepted, and hears nothing', async (t) => {
  const portal = await openTcpPortal('127.0.0.1', 0, () => undefined)
  t.teardown(() => portal.close())
  t.equal(await say(portal.port, '', 1).catch(() => ''), '')
})

t.test('TCP: four attempts, then the client is closed', async (t) => {
  const gone = await closedPort()
  let attempts = 0
  const portal = await openTcpPortal('127.0.0.1', 0, () => {
    attempts++
    return gone
  })
  t.teardown(() => portal.close())
  t.equal(await say(portal.port, '', 1).catch(() => ''), '')
  t.equal(attempts, 4)
})

t.test('TCP: closed, it refuses, and a connection that stands goes on', async (t) => {
  const endpoint = await tcpEndpoint(t, 'one')
  const portal = await openTcpPortal('127.0.0.1', 0, () => endpoint)
  const socket = connect(portal.port, '127.0.0.1').setEncoding('utf8')
  await once(socket, 'data')
  portal.close()
  await t.rejects(once(connect(portal.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
  socket.write('still')
  t.same(await once(socket, 'data'), ['still'])
  socket.destroy()
})

t.test('UDP: a session stays with its endpoint, the one after it goes to the next', async (t) => {
  const endpoints = await Promise.all(['one', 'two'].map((name) => udpEndpoint(t, name)))
  let picked = 0
  const timers = new Set<() => void>()
  const after = (ms: number, then: () => void) => {
    t.equal(ms, 250)
    timers.add(then)
    return () => void timers.delete(then)
  }
  const portal = await openUdpPortal('127.0.0.1', 0, () => endpoints[picked++], { clock: { after } })
  t.teardown(() => portal.close())
  const client = createSocket('udp4')
  t.teardown(() => void client.close())
  const ask = async (word: string) => {
    client.send(word, portal.port, '127.0.0.1')
    return String(((await once(client, 'message')) as [Buffer])[0])
  }
  t.equal(await ask('a'), 'one a')
  t.equal(await ask('b'), 'one b', 'within the session')
  t.equal(timers.size, 1, 'one time runs, restarted by each datagram')
  for (const end of timers) end()
  timers.clear()
  t.equal(await ask('c'), 'two c')
  t.equal(picked, 2)
})

async function udpEndpoint(t: Test, name: string): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (word, from) => socket.send(`${name} ${String(word)}`, from.port, from.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}
