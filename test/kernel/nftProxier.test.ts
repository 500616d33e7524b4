import t from 'tap'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { manualClock } from '../apiserver/manualClock.js'
import { endpoint, input, service, slice } from '../agents/kubeProxy/objects.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { inNftMode, nftKernelNode } from './nftNode.js'

const skip = cannotRun || cannotLoadNft()
const start = '2026-01-01T00:00:00Z'
const web = service('web', { clusterIP: '172.30.0.41', sessionAffinity: 'ClientIP' })
const other = service('other', { clusterIP: '172.30.0.42' })
const state = (services: (typeof web)[], ...addresses: string[]): ProxyInput =>
  inNftMode(
    input(services, [
      slice(
        'web',
        addresses.map((address) => endpoint(address, 'local')),
        [['http', 80]],
      ),
    ]),
  )

t.test(
  'chains are emptied first and deleted a second later, sets of clients at once',
  { skip },
  async (t) => {
    const node = await nftKernelNode(t, 'IPv4')
    const clock = manualClock(start)
    const first = state([web, other], '10.180.0.1')
    const proxier = createProxier({
      node: 'node-a',
      family: 'IPv4',
      tables: node.tables,
      input: first,
      clock,
    })
    t.match(await proxier.sync(first), { kind: 'full', fullBecause: 'start', ok: true })
    t.match(await proxier.sync(state([other])), { kind: 'partial', ok: true, chainsDeleted: [] })
    const { lines, emptied } = await node.existing()
    t.match(emptied.toSorted(), [/^endpoint-.*10\.180\.0\.1\/80$/, /^service-.*ns1\/web\/tcp\/http$/])
    t.notOk(lines.some((line) => line.startsWith('set affinity-')))

    clock.advance(500)
    t.match(await proxier.sync(state([web, other])), { ok: true, chainsDeleted: [] })
    t.equal((await node.existing()).emptied.length, 2, 'half a second is too early')
    clock.advance(500)
    const report = await proxier.sync(state([web, other], '10.180.0.2'))
    t.match(report, { ok: true })
    t.equal(report.chainsDeleted.length, 2)
    t.same((await node.existing()).emptied, [])
    t.same((await node.existing()).lines, await node.expected(state([web, other], '10.180.0.2')))
    proxier.stop()
  },
)

t.test(
  'a new kube-proxy takes over what stands, and touches no element that is right',
  { skip },
  async (t) => {
    const node = await nftKernelNode(t, 'IPv4')
    const before = state([web, other], '10.180.0.1')
    const options = {
      node: 'node-a',
      family: 'IPv4',
      tables: node.tables,
      clock: manualClock(start),
    } as const
    await createProxier({ ...options, input: before }).sync(before)
    const after = state([web, other], '10.180.0.1', '10.180.0.2')
    t.match(await createProxier({ ...options, input: after }).sync(after), { kind: 'full', ok: true })
    const elements = (node.fed.at(-1) ?? '').split('\n').filter((line) => / element /.test(line))
    t.match(elements, [/nodeport-ips/, /add element ip kube-proxy hairpin-connections \{ 10\.180\.0\.2 /])
    t.equal(elements.length, 2)
    t.same((await node.existing()).lines, await node.expected(after))
  },
)

t.test(
  'a table that somebody deleted is missed by the next sync, and written whole after it',
  { skip },
  async (t) => {
    const node = await nftKernelNode(t, 'IPv4')
    const clock = manualClock(start)
    const first = state([web, other], '10.180.0.1')
    const options = { node: 'node-a', family: 'IPv4', tables: node.tables, input: first, clock } as const
    const proxier = createProxier(options)
    await proxier.sync(first)
    await node.run(['nft', 'flush', 'ruleset'])
    t.equal(await proxier.check(), undefined, 'nobody looks')
    const next = state([web, other], '10.180.0.2')
    t.match(await proxier.sync(next), { kind: 'partial', ok: false, error: /No such file or directory/ })
    t.match(await proxier.sync(next), { kind: 'full', fullBecause: 'retry', ok: true })
    t.same((await node.existing()).lines, await node.expected(next))
    proxier.stop()
  },
)

t.test('everything is written again after an hour', { skip }, async (t) => {
  const node = await nftKernelNode(t, 'IPv4')
  const clock = manualClock(start)
  const first = state([web, other], '10.180.0.1')
  const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables: node.tables, input: first, clock })
  await proxier.sync(first)
  await node.run(['nft', 'flush', 'chain', 'ip', 'kube-proxy', 'services'])
  clock.advance(3_600_001)
  t.match(await proxier.check(), { kind: 'full', fullBecause: 'hourly', ok: true })
  t.same((await node.existing()).lines, await node.expected(first))
  proxier.stop()
})

t.test('1.32 writes only what changed, even after an hour', { skip }, async (t) => {
  const node = await nftKernelNode(t, 'IPv4')
  const clock = manualClock(start)
  const recent = state([web, other], '10.180.0.1')
  const first = { ...recent, config: { ...recent.config, version: 32 } } as const
  const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables: node.tables, input: first, clock })
  await proxier.sync(first)
  clock.advance(3_600_001)
  t.match(await proxier.check(), { kind: 'partial', ok: true })
  proxier.stop()
})
