import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { announcements, balancerAddresses } from '../../src/cluster/loadBalancers.js'
import { findTool } from '../../src/host/environment.js'
import { placeOf } from '../../src/names/placeOf.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { placeMac } from '../../src/topology/networkOf.js'
import { cannotRun } from './ability.js'
import { deployment, applies } from '../cluster/lab.js'
import { startLab } from './startLab.js'

const skip = cannotRun || (findTool('socat') === undefined && 'missing here: socat')

function lab(balancer: string): string {
  return `topology: { nodes: [node-a, node-b], families: [IPv4, IPv6] }
loadBalancer: ${balancer}
steps: [{ name: none, command: ['true'] }]
`
}

const web = deployment('web', 2, '', '{ name: web, image: nginx, ports: [{ containerPort: 80 }] }')

function service(spec = ''): string {
  return `apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: LoadBalancer
  ipFamilyPolicy: RequireDualStack
  selector: { app: web }
  ports: [{ port: 80 }]
${spec}`
}

const ref = { kind: 'Service', namespace: 'default', name: 'web' }

async function start(t: Test, balancer: string, manifest: string): Promise<RunningLab> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-balancer-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(join(folder, 'lab.yaml'), lab(balancer))
  writeFileSync(join(folder, 'manifests', 'app.yaml'), manifest)
  return startLab(t, prepareLab(folder), { capture: false, label: basename(folder) })
}

function addresses({ live }: RunningLab): string[] {
  return live.state().cluster.services.flatMap(balancerAddresses)
}

async function on(started: RunningLab, name: string, argv: readonly string[]) {
  const { names, topology } = started.live.state()
  return started.exec(placeOf(names, topology.places, name), argv)
}

function urlOf(address: string): string {
  return `http://${address.includes(':') ? `[${address}]` : address}/`
}

async function asked(started: RunningLab, address: string): Promise<number> {
  return (await on(started, 'client', ['curl', '-gsf', '--max-time', '30', urlOf(address)])).exitCode
}

/** The MAC address that the client has for each address, and that of the node which answers for it. */
async function macs(started: RunningLab): Promise<{ known: string[]; right: string[] }> {
  const { stdout } = await on(started, 'client', ['ip', 'neigh', 'show'])
  const { cluster, topology } = started.live.state()
  const wanted = announcements(cluster)
  return {
    known: wanted.map(
      ({ address }) => new RegExp(`^${address} dev eth0 lladdr (\\S+)`, 'm').exec(stdout)?.[1] ?? 'none',
    ),
    right: wanted.map(({ node }) => {
      const place = topology.nodes.find(({ name }) => name === node)
      return place === undefined ? '' : placeMac(place)
    }),
  }
}

t.test('an address moves, and the client that knows the old node is notified', { skip }, async (t) => {
  const started = await start(t, '{}', web + service())
  t.strictSame(addresses(started), ['192.0.2.1', '2001:db8::1'])
  for (const address of addresses(started)) t.equal(await asked(started, address), 0, address)
  const before = await macs(started)
  t.strictSame(before.known, before.right)
  for (const node of ['node-a', 'node-b']) {
    await started.live.setNode(node, 'down')
    t.ok(announcements(started.live.state().cluster).every((one) => one.node !== node))
    const moved = await macs(started)
    t.strictSame(moved.known, moved.right, `notified when ${node} went down, before any request`)
    for (const address of addresses(started)) t.equal(await asked(started, address), 0, address)
    await started.live.setNode(node, 'up')
    const back = await macs(started)
    t.strictSame(back.known, back.right, 'and when it came back')
  }
})

t.test('a Service that comes later is answered for until it goes', { skip }, async (t) => {
  const started = await start(t, '{}', web)
  for (const turn of ['at first', 'and again']) {
    await started.live.write(applies(service()))
    for (const address of addresses(started)) t.equal(await asked(started, address), 0, `${address} ${turn}`)
    await started.live.write([{ verb: 'delete', ref }])
    for (const node of ['node-a', 'node-b'])
      t.equal((await on(started, node, ['ip', 'neigh', 'show', 'proxy'])).stdout, '', `${node} says nothing`)
  }
})

t.test('a host in front of the node ports follows the Service', { skip }, async (t) => {
  const local = '  externalTrafficPolicy: Local\n'
  const started = await start(t, '{ mode: proxy }', web + service(local))
  const held = async () =>
    (await on(started, 'load-balancer', ['ip', '-o', 'address', 'show', 'dev', 'eth0'])).stdout
  for (const address of addresses(started)) {
    t.equal(await asked(started, address), 0, address)
    t.match(await held(), address)
  }
  await started.live.write([
    {
      verb: 'patch',
      ref,
      patch: { spec: { ports: [{ port: 8080, targetPort: 80 }] } },
    },
  ])
  for (const address of addresses(started)) {
    t.equal(await asked(started, address), 7, 'the old port is closed')
    const url = urlOf(address).replace(/\/$/, ':8080/')
    t.equal((await on(started, 'client', ['curl', '-gsf', '--max-time', '30', url])).exitCode, 0, url)
  }
  await started.live.write([{ verb: 'patch', ref, patch: { spec: { type: 'ClusterIP' } } }])
  t.strictSame(addresses(started), [])
  t.notMatch(await held(), /192\.0\.2\.|2001:db8:/)
})

t.test('with ipMode VIP nodes know the address of such a host, with Proxy not', { skip }, async (t) => {
  for (const ipMode of ['VIP', 'Proxy']) {
    const started = await start(t, `{ mode: proxy, ipMode: ${ipMode} }`, web + service())
    const rules = (await on(started, 'node-a', ['iptables', '-t', 'nat', '-S', 'KUBE-SERVICES'])).stdout
    t.equal(/-d 192\.0\.2\.1\/32 .* -j KUBE-EXT-/.test(rules), ipMode === 'VIP', ipMode)
    for (const address of addresses(started))
      t.equal(await asked(started, address), 0, `${ipMode} ${address}`)
  }
})
