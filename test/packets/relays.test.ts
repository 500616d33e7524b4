import t from 'tap'
import { joinFlows } from './joinFlows.js'
import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Capture, Packet } from '../../src/packets/types.js'

const at = (address: string, port: number): SocketAddress => ({ address, port })
const [client, portal] = [at('fd00::10', 4000), at('fd00::1', 20000)]
const [proxy, server] = [at('fd00::1', 45000), at('fd00::20', 53)]

let clock = 0
const seen = (
  interfaceIndex: number,
  type: Packet['type'],
  source: SocketAddress,
  destination: SocketAddress,
) => ({
  ...{ time: ++clock / 1000, interfaceIndex, type, protocol: 'udp' as const, source, destination },
  // IPv6: two equal datagrams cannot be distinguished
  ...{ ttl: 64, identification: 0, length: 60, payload: '68656c6c6f' },
})
const capture = (netns: string, packets: Packet[]): Capture => ({
  netns,
  packets,
  interfaces: new Map([
    [1, 'eth0'],
    [2, 'cni0'],
  ]),
})

const [sent, taken, passedOn, served] = [
  seen(1, 'outgoing', client, portal),
  seen(2, 'host', client, portal),
  seen(2, 'outgoing', proxy, server),
  seen(1, 'host', proxy, server),
]
const captures = [
  capture('client', [sent]),
  capture('node-a', [taken, passedOn]),
  capture('server', [served]),
]

t.test('a datagram that a proxy copies is another flow, if the proxy’s socket is known', async (t) => {
  const [first, second, ...more] = joinFlows(captures, { from: 'client', alsoFrom: [proxy] })
  t.same(more, [])
  t.same(
    first?.hops.map(({ netns }) => netns),
    ['client', 'node-a'],
  )
  t.same(first?.nat, [])
  t.same(second?.source, proxy)
  t.same(
    second?.hops.map(({ netns }) => netns),
    ['node-a', 'server'],
  )
})

t.test('otherwise it is treated as the same datagram, rewritten', async (t) => {
  const [only, ...more] = joinFlows(captures, { from: 'client' })
  t.same(more, [])
  t.same(
    only?.nat.map(({ kind }) => kind),
    ['DNAT', 'SNAT'],
  )
})
