import t from 'tap'
import { planNodeSysctls, planPodSysctls, planSysctls } from '../../src/topology/planSysctls.js'
import { namespaceSysctls } from '../../src/topology/sysctls.js'
import { layOut } from '../../src/topology/layOut.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, deployment } from '../cluster/lab.js'

const topology = layOut(cluster(deployment('web', 2)), [{ name: 'client' }], defaultRanges, ['IPv4', 'IPv6'])

t.test('every namespace gets its values from one process', async (t) => {
  const { commands, files } = planSysctls(topology)
  const named = commands.flatMap(({ each = [] }) => each)
  t.same(
    named.toSorted(),
    [...topology.nodes, ...topology.clients, ...topology.pods].map(({ netns }) => netns).toSorted(),
  )
  t.equal(commands.filter(({ each }) => each === undefined).length, 1, 'the fabric')
  const text = (kind: string) => files.find(({ path }) => path.endsWith(`/${kind}`))?.text ?? ''
  for (const kind of ['fabric', 'node']) t.match(text(kind), 'net.ipv4.ip_forward = 1\n')
  for (const kind of ['client', 'pod']) t.match(text(kind), 'net.ipv4.ip_forward = 0\n')
})

t.test('forwarding comes first because it changes others', async (t) => {
  const names = Object.keys(namespaceSysctls('node', ['IPv4', 'IPv6']))
  t.equal(names[0], 'net.ipv4.ip_forward')
  const at = (name: string) => names.indexOf(name)
  t.ok(at('net.ipv6.conf.all.forwarding') < at('net.ipv6.conf.all.accept_redirects'))
})

t.test('IPv4 alone leaves IPv6 as it is', async (t) => {
  t.notMatch(JSON.stringify(namespaceSysctls('pod', ['IPv4'])), /net\.ipv6/)
})

t.test('new pods get the same values as the first', async (t) => {
  const first = planSysctls(topology).files.find(({ path }) => path.endsWith('/pod'))
  t.same(planPodSysctls(topology.pods, topology.families).files, [first])
})

t.test('many pods are set by one command, and are all listed', async (t) => {
  const many = layOut(cluster(deployment('web', 60)), [], defaultRanges, ['IPv4'])
  const { commands, files } = planPodSysctls(many.pods, ['IPv4'])
  t.equal(commands.length, 1)
  t.equal(commands[0]?.each, undefined)
  const [values, names] = files
  t.match(commands[0]?.argv.at(-1), values?.path)
  t.equal(names?.path, `${values?.path}.namespaces`)
  t.same(
    names?.text.trim().split('\n'),
    many.pods.map(({ netns }) => netns),
  )
})

t.test('nodes without their own values need no process', async (t) => {
  const { commands, files } = planNodeSysctls(topology.nodes, (node): Record<string, number> =>
    node === 'node-b' ? { 'net.ipv4.conf.cni0.route_localnet': 1 } : {},
  )
  t.same(commands[0]?.each, ['node-b'])
  t.equal(files.length, 1)
})
