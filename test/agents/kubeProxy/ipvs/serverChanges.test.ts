import t from 'tap'
import type { FoundServer } from '../../../../src/agents/kubeProxy/ipvs/found.js'
import { drainedLines, serverChanges } from '../../../../src/agents/kubeProxy/ipvs/serverChanges.js'
import type { VirtualServer } from '../../../../src/agents/kubeProxy/ipvs/types.js'

const one = (rest: Partial<VirtualServer> = {}): VirtualServer => ({
  ...{ address: '1.1.1.1', port: 80, protocol: 'tcp', scheduler: 'rr', persistence: 0, realServers: [] },
  ...rest,
})
const at = (text: string, connections = 0, weight = 1) => ({ text, connections, weight })
const stands = (rest: Partial<FoundServer> = {}): FoundServer => ({
  ...one(),
  mhPort: false,
  realServers: [],
  ...rest,
})
const later = { draining: new Set<string>(), first: false, excludeCIDRs: [] }
const key = (real: string) => `1.1.1.1:80/TCP/${real}`

t.test('correct servers are not touched', (t) => {
  const found = [stands({ realServers: [at('2.2.2.2:80', 4), at('2.2.2.3:80', 0, 7)] })]
  const wanted = [one({ realServers: ['2.2.2.3:80', '2.2.2.2:80'] })]
  t.same(serverChanges(found, wanted, later), { lines: [], stale: [], draining: new Set() })
  t.end()
})

t.test('a virtual server is created, or edited in place', (t) => {
  const lines = (found: FoundServer[], wanted: VirtualServer) => serverChanges(found, [wanted], later).lines
  t.same(lines([], one({ protocol: 'udp', realServers: ['2.2.2.2:80'] })), [
    '-A -u 1.1.1.1:80 -s rr',
    '-a -u 1.1.1.1:80 -r 2.2.2.2:80 -m -w 1',
  ])
  t.same(lines([stands()], one({ persistence: 10_800 })), ['-E -t 1.1.1.1:80 -s rr -p 10800'])
  t.same(lines([stands({ persistence: 300 })], one({ scheduler: 'wlc' })), ['-E -t 1.1.1.1:80 -s wlc'])
  t.same(lines([stands({ scheduler: 'mh' })], one({ scheduler: 'mh' })), [
    '-E -t 1.1.1.1:80 -s mh -b mh-port',
  ])
  t.same(
    lines([stands({ protocol: 'udp' })], one()),
    ['-A -t 1.1.1.1:80 -s rr'],
    'servers differ by protocol',
  )
  t.end()
})

t.test('a real server with connections drains, over TCP only', (t) => {
  const gone = (connections: number, protocol = 'tcp') =>
    serverChanges(
      [stands({ protocol, realServers: [at('2.2.2.2:80', connections)] })],
      [one({ protocol })],
      later,
    )
  t.match(gone(0), { lines: ['-d -t 1.1.1.1:80 -r 2.2.2.2:80'], draining: new Set() })
  t.match(gone(10), {
    lines: ['-e -t 1.1.1.1:80 -r 2.2.2.2:80 -m -w 0'],
    draining: new Set([key('2.2.2.2:80')]),
  })
  t.match(gone(10, 'udp').lines, ['-d -u 1.1.1.1:80 -r 2.2.2.2:80'])
  t.match(gone(10, 'sctp').lines, ['-d --sctp-service 1.1.1.1:80 -r 2.2.2.2:80'])
  t.end()
})

t.test('a draining one is kept until it is used again, and then recreated', (t) => {
  const draining = new Set([key('2.2.2.2:80')])
  const found = [stands({ realServers: [at('2.2.2.2:80', 0, 0)] })]
  t.match(serverChanges(found, [one()], { ...later, draining }), { lines: [], draining })
  t.match(serverChanges(found, [one({ realServers: ['2.2.2.2:80'] })], { ...later, draining }), {
    lines: ['-d -t 1.1.1.1:80 -r 2.2.2.2:80', '-a -t 1.1.1.1:80 -r 2.2.2.2:80 -m -w 1'],
    draining: new Set(),
  })
  t.end()
})

t.test('drained servers are deleted each minute', (t) => {
  const draining = new Set([key('2.2.2.2:80'), key('2.2.2.3:80'), key('2.2.2.4:80')])
  const found = [stands({ realServers: [at('2.2.2.2:80', 0, 0), at('2.2.2.3:80', 1, 0), at('2.2.2.5:80')] })]
  t.same(drainedLines(found, draining), {
    lines: ['-d -t 1.1.1.1:80 -r 2.2.2.2:80'],
    draining: new Set([key('2.2.2.3:80')]),
  })
  t.end()
})

t.test('a new process fixes the weights that the previous one left', (t) => {
  const found = [stands({ realServers: [at('2.2.2.2:80', 3, 0), at('2.2.2.3:80'), at('2.2.2.4:80', 2, 0)] })]
  const wanted = [one({ realServers: ['2.2.2.2:80', '2.2.2.3:80'] })]
  t.same(serverChanges(found, wanted, { ...later, first: true }), {
    lines: ['-e -t 1.1.1.1:80 -r 2.2.2.2:80 -m -w 1', '-e -t 1.1.1.1:80 -r 2.2.2.3:80 -m -w 1'],
    stale: [],
    draining: new Set([key('2.2.2.4:80')]),
  })
  t.same(serverChanges(found, wanted, later).lines, [], 'later on weights are not looked at')
  t.end()
})

t.test('unused virtual servers are deleted immediately, except those of excluded networks', (t) => {
  const found = ['1.1.1.1', '3.3.3.3', '4.4.4.4', '5.5.5.5', 'fd00::1'].map((address) =>
    stands({ address, realServers: [at('2.2.2.2:80', 9)] }),
  )
  const { lines, stale } = serverChanges(found, [one({ realServers: ['2.2.2.2:80'] })], {
    ...later,
    excludeCIDRs: ['3.3.3.0/24', '4.4.4.4/32'],
  })
  t.same(lines, [])
  t.same(stale, ['-D -t 5.5.5.5:80', '-D -t [fd00::1]:80'])
  t.end()
})
