import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { firstLine, type LineLimits } from '../../src/host/lines.js'

/** What is read of a connection whose other end does something. */
async function read(t: Test, limits: LineLimits, act: (socket: Socket) => void): Promise<string> {
  const server = createServer({ allowHalfOpen: true })
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  const [socket] = (await once(server, 'connection')) as [Socket]
  act(client)
  try {
    return await firstLine(socket, limits)
  } finally {
    socket.destroy()
    client.destroy()
  }
}

t.test('the first line, however it comes', async (t) => {
  t.equal(await read(t, { bytes: 100 }, (socket) => socket.write('one\ntwo\n')), 'one')
  t.equal(await read(t, { bytes: 3 }, (socket) => socket.write('one\n')), 'one')
  t.equal(await read(t, { bytes: 100 }, (socket) => socket.end('\n')), '')
  const parts = read(t, { bytes: 100 }, (socket) => {
    // a character in two parts
    for (const part of [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])]) socket.write(part)
  })
  t.equal(await parts, 'é')
})

t.test('a line that does not end, that is too long, or that never comes', async (t) => {
  await t.rejects(
    read(t, { bytes: 3 }, (socket) => socket.write('four')),
    /more than 3 bytes/,
  )
  await t.rejects(
    read(t, { bytes: 100 }, (socket) => socket.end('half a li')),
    /closed/,
  )
  await t.rejects(
    read(t, { bytes: 100 }, (socket) => socket.destroy()),
    /closed|reset/i,
  )
  await t.rejects(
    read(t, { bytes: 100, milliseconds: 20 }, (socket) => socket.write('half a li')),
    /no line in/,
  )
})
