import t from 'tap'
import type { EndpointSlice, Service } from '../../../../src/cluster/types.js'
import { existingOf } from '../../../../src/agents/kubeProxy/nftables/existing.js'
import { buildTable } from '../../../../src/agents/kubeProxy/nftables/table.js'
import {
  deleteChains,
  fullSync,
  nothing,
  partialSync,
} from '../../../../src/agents/kubeProxy/nftables/transactions.js'
import { endpoint, input, service, slice } from '../objects.js'

const web = service('web', { clusterIP: '172.30.0.41' })
const other = service('other', { clusterIP: '172.30.0.42' })
const of = (...addresses: string[]) =>
  slice(
    'web',
    addresses.map((address) => endpoint(address, 'local')),
    [['http', 80]],
  )
const table = (services: readonly Service[], ...slices: EndpointSlice[]) =>
  buildTable(input([...services], slices), 'IPv4')

/** What a change of web is written as: `add element service-ips`, … */
function operations(before: ReturnType<typeof table>, after: ReturnType<typeof table>): string[] {
  const { text } = partialSync(before, after, new Set(['ns1/web']))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^(\w+ \w+) ip kube-proxy (\S+?)(?:-[A-Z2-7]{8}-.*)?(?: .*)?$/, '$1 $2'))
}

t.test('only changes are written: the sequences of the real kube-proxy', (t) => {
  const rewritten = ['add chain service', 'flush chain service', 'add rule service']
  t.same(operations(table([other]), table([other, web], of('10.180.0.1'))).toSorted(), [
    'add chain service',
    'add element cluster-ips',
    'add element hairpin-connections',
    'add element service-ips',
    'add rule service',
  ])
  t.same(operations(table([other, web], of('10.180.0.1')), table([other])).toSorted(), [
    'delete element cluster-ips',
    'delete element hairpin-connections',
    'delete element service-ips',
    'flush chain service',
  ])
  t.same(operations(table([other]), table([other, web])).toSorted(), [
    'add element cluster-ips',
    'add element no-endpoint-services',
  ])
  t.same(operations(table([web]), table([web], of('10.180.0.1'))).toSorted(), [
    'add chain service',
    'add element hairpin-connections',
    'add element service-ips',
    'add rule service',
    'delete element no-endpoint-services',
  ])
  t.same(
    operations(table([web], of('10.180.0.1')), table([web], of('10.180.0.2'))).toSorted(),
    [...rewritten, 'add element hairpin-connections', 'delete element hairpin-connections'].toSorted(),
  )
  t.same(
    operations(table([web], of('10.180.0.1')), table([web], of('10.180.0.1', '10.180.0.2'))).toSorted(),
    [...rewritten, 'add element hairpin-connections'].toSorted(),
  )
  t.same(operations(table([web], of('10.180.0.1', '10.180.0.2')), table([web])).toSorted(), [
    'add element no-endpoint-services',
    'delete element hairpin-connections',
    'delete element hairpin-connections',
    'delete element service-ips',
    'flush chain service',
  ])
  t.end()
})

t.test('no change is no transaction', (t) => {
  const same = table([web], of('10.180.0.1'))
  t.equal(partialSync(same, table([web], of('10.180.0.1')), new Set()).text, '')
  t.end()
})

t.test('an endpoint that two Services share stays while one of them has it', (t) => {
  const shared = slice('other', [endpoint('10.180.0.1', 'local')], [['http', 80]])
  const { text } = partialSync(
    table([other, web], of('10.180.0.1'), shared),
    table([other, web], shared),
    new Set(['ns1/web']),
  )
  t.notMatch(text, 'hairpin-connections')
  t.end()
})

t.test('an unused chain is emptied, and deleted by a separate transaction', (t) => {
  const before = table([web], of('10.180.0.1'))
  const { stale } = partialSync(before, table([]), new Set(['ns1/web']))
  const [name = ''] = stale
  t.match(name, /^service-[A-Z2-7]{8}-ns1\/web\/tcp\/http$/)
  t.equal(deleteChains(stale, before.context), `delete chain ip kube-proxy ${name}\n`)
  t.end()
})

t.test('a full sync keeps correct elements and deletes others', (t) => {
  const after = table([web], of('10.180.0.1'))
  const [chain] = after.servicePorts.flatMap(({ chains }) => chains.map(({ name }) => name))
  const existing = existingOf(
    `table ip other {
	chain service-AAAAAAAA-not/ours/tcp/ {
	}
}
table ip kube-proxy {
	set affinity-BBBBBBBB-ns1/gone/tcp/__10.180.0.9/80 {
		type ipv4_addr
	}
	set cluster-ips {
		type ipv4_addr
		elements = { 172.30.0.41, 172.30.0.99 }
	}
	map service-ips {
		type ipv4_addr . inet_proto . inet_service : verdict
		elements = { 172.30.0.41 . tcp . 80 : drop }
	}
	map no-endpoint-services {
		type ipv4_addr . inet_proto . inet_service : verdict
		elements = { 172.30.0.99 . tcp . 80 comment "ns1/gone:http" : goto reject-chain }
	}
	chain service-BBBBBBBB-ns1/gone/tcp/ {
	}
}
`,
    'ip',
  )
  const { text, stale } = fullSync(after, existing)
  t.same(stale, ['service-BBBBBBBB-ns1/gone/tcp/'])
  const elements = text.split('\n').filter((line) => / element /.test(line) && !line.includes('nodeport-ips'))
  t.same(elements, [
    'add element ip kube-proxy hairpin-connections { 10.180.0.1 . 10.180.0.1 . tcp . 80 }',
    'delete element ip kube-proxy service-ips { 172.30.0.41 . tcp . 80 }',
    `add element ip kube-proxy service-ips { 172.30.0.41 . tcp . 80 : goto ${chain} }`,
    'delete element ip kube-proxy cluster-ips { 172.30.0.99 }',
    'delete element ip kube-proxy no-endpoint-services { 172.30.0.99 . tcp . 80 }',
  ])
  t.match(text, 'delete set ip kube-proxy affinity-BBBBBBBB-ns1/gone/tcp/__10.180.0.9/80')
  t.notMatch(text, 'not/ours')
  t.equal(fullSync(after, nothing).stale.length, 0)
  t.end()
})
