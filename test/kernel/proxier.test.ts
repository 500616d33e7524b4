import t from 'tap'
import type { EndpointSlice, Service } from '../../src/cluster/types.js'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import type { Proxier } from '../../src/host/proxier/proxier.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { endpointChainName, serviceChainNames } from '../../src/agents/kubeProxy/iptables/chainNames.js'
import type { SyncReport } from '../../src/agents/kubeProxy/syncReport.js'
import { manualClock } from '../apiserver/manualClock.js'
import { endpoint, input, service, slice } from '../agents/kubeProxy/objects.js'
import { cannotRun } from './ability.js'
import { kernelNode, type KernelNode } from './proxierNode.js'

const chain = (name: string) => serviceChainNames(`ns1/${name}:http`, 'tcp').cluster
const endpointChain = (name: string, address: string) =>
  endpointChainName(`ns1/${name}:http`, 'tcp', `${address}:80`)

function state(services: Service[], slices: EndpointSlice[], minSyncPeriod = 0): ProxyInput {
  const from = input(services, slices)
  return {
    ...from,
    nfacct: false,
    config: { ...from.config, iptables: { ...from.config.iptables, minSyncPeriod } },
  }
}

interface Fixture {
  readonly node: KernelNode
  readonly proxier: Proxier
  readonly clock: ReturnType<typeof manualClock>
  readonly reports: SyncReport[]
}

async function start(t: Parameters<typeof kernelNode>[0], from: ProxyInput): Promise<Fixture> {
  const node = await kernelNode(t, 'IPv4')
  const clock = manualClock('2026-01-01T00:00:00Z')
  const reports: SyncReport[] = []
  const proxier = createProxier({
    node: 'node-a',
    family: 'IPv4',
    tables: node.tables,
    input: from,
    clock,
    onSync: (report) => reports.push(report),
  })
  t.teardown(() => proxier.stop())
  t.match(await proxier.sync(from), { kind: 'full', fullBecause: 'start', ok: true })
  return { node, proxier, clock, reports }
}

const svc1 = service('svc1', { clusterIP: '172.30.0.41' })
const svc2 = service('svc2', { clusterIP: '172.30.0.42' })
const svc3 = service('svc3', { clusterIP: '172.30.0.43' })
const eps1 = slice('svc1', [endpoint('10.0.1.1', 'remote')])
const eps2 = slice('svc2', [endpoint('10.0.2.1', 'remote')])
const eps3 = slice('svc3', [endpoint('10.0.3.1', 'remote')])
const many = (name: string, count: number) =>
  slice(
    name,
    Array.from({ length: count }, (_, n) => endpoint(`10.1.${n >> 8}.${n & 255}`, 'remote')),
  )
const ownLines = (text = '') =>
  text.split('\n').filter((line) => /^(?::|-A |-X )KUBE-(?:SVC|SVL|EXT|FW|SEP)-/.test(line))

t.test('an endpoint gets another address', { skip: cannotRun }, async (t) => {
  const { node, proxier } = await start(t, state([svc1, svc3], [eps1, eps3]))
  const moved = state([svc1, svc3], [eps1, slice('svc3', [endpoint('10.0.3.2', 'remote')])])
  const report = await proxier.sync(moved)
  t.match(report, { kind: 'partial', ok: true, services: ['ns1/svc3'] })
  t.same(report.chainsDeleted, [endpointChain('svc3', '10.0.3.1')])
  t.same(
    ownLines(node.fed.at(-1)).filter((line) => line.startsWith(':')),
    [chain('svc3'), endpointChain('svc3', '10.0.3.2'), endpointChain('svc3', '10.0.3.1')].map(
      (name) => `:${name} - [0:0]`,
    ),
  )
  t.same(await node.saved(), await node.expected(moved))
})

t.test('what no rule is made from starts no process', { skip: cannotRun }, async (t) => {
  const { node, proxier, reports } = await start(t, state([svc1], [eps1]))
  const labelled = { ...svc1, metadata: { ...svc1.metadata, labels: { a: 'b' } } }
  t.match(await proxier.sync(state([labelled], [structuredClone(eps1)])), { kind: 'none', linesWritten: 0 })
  t.equal(node.fed.length, 1)
  t.equal(reports.length, 1)
})

t.test('a foreign jump into a chain that is to go', { skip: cannotRun }, async (t) => {
  const { node, proxier, clock, reports } = await start(t, state([svc1, svc2], [eps1, eps2]))
  const jump = ['iptables', '-t', 'nat', '-A', chain('svc1'), '-j', endpointChain('svc2', '10.0.2.1')]
  t.equal((await node.run(jump)).exitCode, 0)
  const without = state([svc1], [eps1])
  const failed = await proxier.sync(without)
  t.match(failed, { kind: 'partial', ok: false, chainsDeleted: [] })
  t.ok(failed.error, 'says what iptables-restore said')

  // nobody asks again: after syncPeriod it is tried again, every chain this time, and the foreign jump goes with that
  const retried = new Promise<void>((resolve) => {
    const seen = reports.length
    const look = () => (reports.length > seen ? resolve() : void setImmediate(look))
    look()
  })
  clock.advance(30_000)
  await retried
  t.match(reports.at(-1), { kind: 'full', fullBecause: 'retry', ok: true })
  t.same(await node.saved(), await node.expected(without))
  t.ok(proxier.healthy())
})

t.test('the next change comes before the retry', { skip: cannotRun }, async (t) => {
  const { node, proxier } = await start(t, state([svc1, svc2], [eps1, eps2]))
  await node.run(['iptables', '-t', 'nat', '-A', chain('svc1'), '-j', endpointChain('svc2', '10.0.2.1')])
  t.match(await proxier.sync(state([svc1], [eps1])), { ok: false })
  const next = state([svc1, svc3], [eps1, eps3])
  t.match(await proxier.sync(next), { kind: 'full', fullBecause: 'retry', ok: true })
  t.same(await node.saved(), await node.expected(next))
})

t.test('unhealthy: an update that waits for twice syncPeriod', { skip: cannotRun }, async (t) => {
  const { node, proxier, clock } = await start(t, state([svc1, svc2], [eps1, eps2]))
  const foreign = ['-t', 'nat', '-A', 'FOREIGN', '-j', endpointChain('svc2', '10.0.2.1')]
  await node.run(['iptables', '-t', 'nat', '-N', 'FOREIGN'])
  t.equal((await node.run(['iptables', ...foreign])).exitCode, 0)
  const without = state([svc1], [eps1])
  t.match(await proxier.sync(without), { ok: false })
  t.ok(proxier.healthy())
  clock.advance(29_000)
  t.match(await proxier.sync(without), { ok: false, kind: 'full' }, 'this jump no sync removes')
  clock.advance(31_000)
  t.notOk(proxier.healthy())
  t.match(await proxier.sync(without), { ok: false, kind: 'full' }, 'the retry found it still')
  await node.run(['iptables', '-t', 'nat', '-F', 'FOREIGN'])
  t.match(await proxier.sync(without), { ok: true, kind: 'full' })
  t.ok(proxier.healthy())
})

t.test('versions that write all rules again after an hour', { skip: cannotRun }, async (t) => {
  const expected = [
    [26, 2, 'full'],
    [27, 2, 'partial'],
    [32, 2, 'partial'],
    [33, 2, 'full'],
    [33, 1001, 'full'],
    [34, 1001, 'partial'],
  ] as const
  for (const [version, endpoints, kind] of expected) {
    const at = (slices: EndpointSlice[]): ProxyInput => {
      const recent = state([svc1, svc2], slices)
      return { ...recent, config: { ...recent.config, version } }
    }
    const { proxier, clock } = await start(t, at([many('svc1', endpoints)]))
    clock.advance(3_600_001)
    const { kind: found } = (await proxier.sync(at([many('svc1', endpoints + 1)]))) ?? {}
    t.equal(found, kind, `1.${version} with ${endpoints} endpoints`)
    proxier.stop()
  }
})

t.test('a large cluster', { skip: cannotRun }, async (t) => {
  const [big1, big2] = [many('svc1', 499), many('svc2', 499)]
  const { node, proxier, clock } = await start(t, state([svc1, svc2], [big1, big2]))
  const commented = (text = '') => text.match(/-A KUBE-SEP-\S+ -m comment .*-j DNAT/g)?.length ?? 0
  const plain = (text = '') => text.match(/-A KUBE-SEP-\S+ -m tcp .*-j DNAT/g)?.length ?? 0
  t.equal(commented(node.fed.at(-1)), 998, 'below, every rule has its comment')

  const three = slice(
    'svc3',
    ['10.2.0.1', '10.2.0.2', '10.2.0.3'].map((ip) => endpoint(ip, 'remote')),
  )
  const over = state([svc1, svc2, svc3], [big1, big2, three])
  t.match(await proxier.sync(over), { kind: 'partial', ok: true })
  t.equal(plain(node.fed.at(-1)), 3, 'crossing 1000 writes the 3 new ones only')
  t.equal(commented(node.fed.at(-1)), 0, 'without comments')

  clock.advance(3_600_001)
  const two = slice('svc3', [
    endpoint('10.2.0.1', 'remote'),
    endpoint('10.2.0.4', 'remote'),
    endpoint('10.2.0.3', 'remote'),
  ])
  t.match(
    await proxier.sync(state([svc1, svc2, svc3], [big1, big2, two])),
    { kind: 'partial' },
    'an hour later still',
  )
  t.notMatch(node.fed.at(-1), 'KUBE-SERVICES', 'and the chain of all Services is left as it is')

  const [bigger1, bigger2] = [many('svc1', 600), many('svc2', 600)]
  await proxier.sync(state([svc1, svc2, svc3], [bigger1, bigger2, two]))
  const gone = state([svc1, svc2], [bigger1, bigger2])
  const recent = await proxier.sync(gone)
  t.match(recent, { kind: 'partial', ok: true, chainsDeleted: [] }, 'chains stay for a while')
  t.notMatch(node.fed.at(-1), '-X ')
  clock.advance(30_001)
  const later = await proxier.sync(state([svc1, svc2], [bigger1, many('svc2', 601)]))
  t.ok(later.chainsDeleted.includes(chain('svc3')), 'when syncPeriod has passed they go')
  t.ok(later.chainsDeleted.includes(endpointChain('svc3', '10.2.0.1')))

  await node.run(['iptables', '-t', 'mangle', '-X', 'KUBE-PROXY-CANARY'])
  await node.run(['iptables', '-t', 'nat', '-X', 'KUBE-PROXY-CANARY'])
  await node.run(['iptables', '-t', 'filter', '-X', 'KUBE-PROXY-CANARY'])
  t.match(await proxier.check(), { kind: 'full', fullBecause: 'canary', ok: true })
  t.equal(plain(node.fed.at(-1)), 1201, 'a full sync writes every endpoint')
  t.equal(commented(node.fed.at(-1)), 0)
})
