import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createPortals } from '../../../src/host/userspace/servedPortals.js'
import type { PortalOrder } from '../../../src/agents/kubeProxy/userspace/orders.js'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function order(rest: Partial<PortalOrder> = {}): Promise<PortalOrder> {
  return {
    key: 'ns1/web:http/TCP',
    protocol: 'tcp',
    listen: { address: '127.0.0.1', port: await freePort() },
    reservations: [],
    affinitySeconds: 0,
    endpoints: [],
    ...rest,
  }
}

function portalsOf(t: Test) {
  const portals = createPortals({ random: () => 0, now: () => 0 })
  t.teardown(() => portals.replace({ family: 'IPv4', portals: [] }))
  return portals
}

/** The result of a connection: 'connect', or the error. */
async function called(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return 'connect'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    socket.destroy()
  }
}

t.test('portals that are asked for are open, those that are not are closed, others stay', async (t) => {
  const portals = portalsOf(t)
  const [one, two] = [await order(), await order({ key: 'ns1/other:http/TCP' })]
  t.same(await portals.replace({ family: 'IPv4', portals: [one, two] }), [])
  t.equal(await called(one.listen.port), 'connect')
  t.same(await portals.replace({ family: 'IPv4', portals: [two] }), [])
  t.equal(await called(one.listen.port), 'ECONNREFUSED')
  t.equal(await called(two.listen.port), 'connect')
  t.same(portals.list(), [{ family: 'IPv4', portals: [two] }])
})

t.test('a portal is moved to another port', async (t) => {
  const portals = portalsOf(t)
  const [old, now] = [await order(), await order()]
  await portals.replace({ family: 'IPv4', portals: [old] })
  await portals.replace({ family: 'IPv4', portals: [now] })
  t.equal(await called(old.listen.port), 'ECONNREFUSED')
  t.equal(await called(now.listen.port), 'connect')
})

t.test('ports in use are reported, the others are opened', async (t) => {
  const portals = portalsOf(t)
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const address = '127.0.0.1'
  const reserving = await order({ reservations: [{ address, port }] })
  const misplaced = await order({ key: 'ns1/other:http/TCP', listen: { address, port } })
  t.same(await portals.replace({ family: 'IPv4', portals: [reserving, misplaced] }), [
    { key: reserving.key, what: 'reservation', address, port, code: 'EADDRINUSE' },
    { key: misplaced.key, what: 'proxy port', address, port, code: 'EADDRINUSE' },
  ])
  t.equal(await called(reserving.listen.port), 'connect')
})

t.test('a reserved port is kept from others, until the portal is gone', async (t) => {
  const portals = portalsOf(t)
  const reserved = { address: '127.0.0.1', port: await freePort() }
  await portals.replace({ family: 'IPv4', portals: [await order({ reservations: [reserved] })] })
  const other = createServer()
  const refused = once(other, 'error') as Promise<[NodeJS.ErrnoException]>
  other.listen(reserved.port, reserved.address)
  const [error] = await refused
  t.equal(error.code, 'EADDRINUSE')
  await portals.replace({ family: 'IPv4', portals: [] })
  other.listen(reserved.port, reserved.address)
  await once(other, 'listening')
  other.close()
})
