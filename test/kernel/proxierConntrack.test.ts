import t from 'tap'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import { parseConntrack } from '../../src/netfilter/conntrack.js'
import type { ConntrackEntry } from '../../src/netfilter/types.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { endpoint, input, service, slice } from '../agents/kubeProxy/objects.js'
import { cannotRun } from './ability.js'
import { kernelNode, type KernelNode } from './proxierNode.js'

type Row = readonly [
  protocol: 'udp' | 'tcp' | 'sctp',
  destination: string,
  replySource: string,
  what: 'kept' | 'deleted',
  why: string,
]

/** Entries, and whether they are kept, of one Service with three addresses, one serving endpoint and one that serves no more. */
const rows: Row[] = [
  ['udp', '172.30.1.1:8000', '10.240.0.4:9090', 'kept', 'cluster IP, to the endpoint'],
  ['udp', '1.2.3.4:8000', '10.240.0.4:9090', 'kept', 'load balancer IP, to the endpoint'],
  ['udp', '192.168.99.100:8000', '10.240.0.4:9090', 'kept', 'external IP, to the endpoint'],
  ['udp', '172.30.1.1:8000', '10.240.0.4:8080', 'deleted', 'the endpoint had another port'],
  ['udp', '1.2.3.4:8000', '10.240.1.5:9090', 'deleted', 'an endpoint that does not serve'],
  ['udp', '192.168.99.100:8000', '10.240.2.6:9090', 'deleted', 'an endpoint that is gone'],
  ['udp', '172.30.1.1:8000', '172.30.1.1:8000', 'deleted', 'never rewritten: a black hole'],
  ['udp', '172.30.1.1:3000', '172.30.1.1:3000', 'kept', 'no port of the Service'],
  ['udp', '192.168.0.2:32000', '10.240.0.4:9090', 'kept', 'node port, to the endpoint'],
  ['udp', '192.168.0.2:32000', '10.240.2.6:9090', 'deleted', 'node port, to another'],
  ['tcp', '172.30.1.1:8000', '10.240.2.6:9090', 'kept', 'TCP is never touched'],
  ['tcp', '192.168.0.2:32000', '10.240.2.6:9090', 'kept', 'nor its node ports'],
  ['sctp', '172.30.1.1:8000', '10.240.2.6:9090', 'kept', 'nor SCTP'],
  ['udp', '172.30.1.2:8000', '10.240.3.7:9090', 'kept', 'a Service without endpoints'],
]

const svc = service(
  'dns',
  {
    type: 'LoadBalancer',
    clusterIP: '172.30.1.1',
    externalIPs: ['192.168.99.100'],
    ports: [
      { name: 'u', protocol: 'UDP', port: 8000, nodePort: 32000 },
      { name: 't', protocol: 'TCP', port: 8000, nodePort: 32000 },
    ],
  },
  ['1.2.3.4'],
)
const empty = service('empty', {
  clusterIP: '172.30.1.2',
  ports: [{ name: 'u', protocol: 'UDP', port: 8000 }],
})
const ports = [
  ['u', 9090, 'UDP'],
  ['t', 9090, 'TCP'],
] as const
const serving = endpoint('10.240.0.4', 'remote')
const notServing = endpoint('10.240.1.5', 'remote', 'X')

function state(...addresses: ReturnType<typeof endpoint>[]): ProxyInput {
  const from = input([svc, empty], addresses.length === 0 ? [] : [slice('dns', addresses, ports)])
  return {
    ...from,
    nfacct: false,
    config: { ...from.config, iptables: { ...from.config.iptables, minSyncPeriod: 0 } },
  }
}

async function insert(
  node: KernelNode,
  [protocol, destination, replySource]: Row,
  client: number,
): Promise<void> {
  const [address = '', port = ''] = destination.split(':')
  const [replyAddress = '', replyPort = ''] = replySource.split(':')
  const state =
    protocol === 'tcp'
      ? ['--state', 'ESTABLISHED', '-u', 'ASSURED,SEEN_REPLY']
      : protocol === 'sctp'
        ? ['--state', 'ESTABLISHED', '--orig-vtag', '1', '--reply-vtag', '2']
        : []
  const argv = [
    ...['conntrack', '-I', '-p', protocol, '-t', '600', ...state],
    ...['-s', '10.0.0.9', '-d', address, '--sport', String(client), '--dport', port],
    ...[
      '-r',
      replyAddress,
      '-q',
      '10.0.0.9',
      '--reply-port-src',
      replyPort,
      '--reply-port-dst',
      String(client),
    ],
  ]
  const { exitCode, stderr } = await node.run(argv)
  if (exitCode !== 0) throw new Error(stderr)
}

const clientPorts = (entries: readonly ConntrackEntry[]) =>
  entries.map(({ original }) => original.source.port ?? 0).sort((a, b) => a - b)
const inKernel = async (node: KernelNode) =>
  clientPorts(parseConntrack((await node.run(['conntrack', '-L'])).stdout))

t.test('exactly the entries go that lead to no serving endpoint', { skip: cannotRun }, async (t) => {
  const node = await kernelNode(t, 'IPv4')
  const { tables } = node
  const before = state(serving, notServing, endpoint('10.240.2.6', 'remote'))
  const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables, input: before })
  t.match(await proxier.sync(before), { ok: true, entriesDeleted: [] })
  for (const [index, row] of rows.entries()) await insert(node, row, 40_000 + index)
  t.equal((await inKernel(node)).length, rows.length)

  const { entriesDeleted } = await proxier.sync(state(serving, notServing))
  const left = await inKernel(node)
  for (const [index, [protocol, destination, replySource, what, why]] of rows.entries()) {
    const name = `${protocol} ${destination}, answered by ${replySource}: ${why}`
    t.equal(left.includes(40_000 + index) ? 'kept' : 'deleted', what, name)
  }
  const gone = rows.flatMap(([, , , what], index) => (what === 'deleted' ? [40_000 + index] : []))
  t.same(clientPorts(entriesDeleted), gone, 'the report names what the kernel deleted')
})

t.test('a Service that loses every endpoint keeps its entries', { skip: cannotRun }, async (t) => {
  const node = await kernelNode(t, 'IPv4')
  const proxier = createProxier({
    node: 'node-a',
    family: 'IPv4',
    tables: node.tables,
    input: state(serving),
  })
  await proxier.sync(state(serving))
  await insert(node, ['udp', '172.30.1.1:8000', '10.240.0.4:9090', 'kept', ''], 40_000)
  t.same((await proxier.sync(state())).entriesDeleted, [])
  t.same(await inKernel(node), [40_000])
  const other = endpoint('10.240.0.5', 'remote')
  const { entriesDeleted } = await proxier.sync(state(other))
  t.same(clientPorts(entriesDeleted), [40_000], 'until there is another endpoint: this one alone goes')
  t.same(await inKernel(node), [])
})

t.test('only endpoints of a UDP port make the table be looked at', { skip: cannotRun }, async (t) => {
  const node = await kernelNode(t, 'IPv4')
  let looks = 0
  const tables = {
    ...node.tables,
    udpEntries: () => {
      looks++
      return node.tables.udpEntries()
    },
  }
  const web = service('web', { clusterIP: '172.30.2.1' })
  const webSlice = (address: string) => slice('web', [endpoint(address, 'remote')])
  const start = state(serving)
  const withWeb = (address: string): ProxyInput => ({
    ...start,
    services: [...start.services, web],
    endpointSlices: [...start.endpointSlices, webSlice(address)],
  })
  const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables, input: start })
  await proxier.sync(start)
  t.equal(looks, 1, 'the first sync: there are UDP endpoints')
  await proxier.sync(withWeb('10.0.0.1'))
  await proxier.sync(withWeb('10.0.0.2'))
  t.equal(looks, 1, 'TCP endpoints')
  const changed = { ...svc, spec: { ...svc.spec, externalIPs: [] } }
  await proxier.sync({ ...start, services: [changed, empty] })
  t.equal(looks, 1, 'a Service alone')
  await proxier.sync({
    ...start,
    services: [changed, empty],
    endpointSlices: state(serving, notServing).endpointSlices,
  })
  t.equal(looks, 2, 'an endpoint of a UDP port')
})

t.test('IPv6: by their whole tuples too', { skip: cannotRun }, async (t) => {
  const node = await kernelNode(t, 'IPv6')
  const insertSix = async (client: number, replySource: string) => {
    const argv = [
      ...['conntrack', '-I', '-p', 'udp', '-t', '600', '-s', 'fd00::9', '-d', 'fd00:172:30::1'],
      ...['--sport', String(client), '--dport', '53', '-r', replySource, '-q', 'fd00::9'],
      ...['--reply-port-src', '53', '--reply-port-dst', String(client)],
    ]
    const { exitCode, stderr } = await node.run(argv)
    if (exitCode !== 0) throw new Error(stderr)
  }
  for (const client of [1, 2, 3]) await insertSix(client, client === 2 ? 'fd00:244::2' : 'fd00:244::1')
  const entries = await node.tables.udpEntries()
  t.equal(entries.length, 3)
  const stale = entries.filter(({ reply }) => reply.source.address === 'fd00:244::1')
  t.same(clientPorts(await node.tables.deleteEntries(stale)), [1, 3], 'several at once')
  const left = await node.tables.udpEntries()
  t.same(clientPorts(left), [2])
  t.same(clientPorts(await node.tables.deleteEntries(left)), [2], 'one alone')
  t.same(await node.tables.deleteEntries(left), [], 'one that is gone already')
})
