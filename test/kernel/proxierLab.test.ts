import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Cluster } from '../../src/cluster/types.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { StartOptions } from '../../src/lab/up/startOptions.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { cannotRun } from './ability.js'
import { until } from '../until.js'
import { startLab } from './startLab.js'

const lab = `title: Kept in sync
topology: { nodes: [node-a, node-b], clients: [client], families: [IPv4, IPv6] }
manifests: [app.yaml]
kubeProxy: { iptables: { syncPeriod: 100ms, minSyncPeriod: 10ms } }
steps: [{ name: none, command: ['true'], expect: { exitCode: 0 } }]
`
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: app }
spec:
  replicas: 2
  selector: { matchLabels: { app: app } }
  template:
    metadata: { labels: { app: app } }
    spec:
      containers:
        - name: app
          image: app
          ports: [{ containerPort: 80 }, { containerPort: 5353, protocol: UDP }]
---
apiVersion: v1
kind: Service
metadata: { name: balanced }
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: 31000
  ipFamilyPolicy: PreferDualStack
  selector: { app: app }
  ports: [{ port: 80, nodePort: 30080 }]
---
apiVersion: v1
kind: Service
metadata: { name: dns }
spec:
  type: NodePort
  ipFamilyPolicy: PreferDualStack
  selector: { app: app }
  ports: [{ port: 53, protocol: UDP, targetPort: 5353, nodePort: 30053 }]
`

async function start(t: Test, options: StartOptions = {}): Promise<RunningLab> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-sync-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'sync'))
  writeFileSync(join(folder, 'sync/lab.yaml'), lab)
  writeFileSync(join(folder, 'sync/app.yaml'), manifest)
  return startLab(t, prepareLab(join(folder, 'sync')), { capture: false, ...options })
}

const placeIn = (started: RunningLab, name: string) => {
  const place = started.prepared.topology.places.find((one) => one.name === name)
  if (place === undefined) throw new Error(`no place ${name}`)
  return place
}
const run = (started: RunningLab, where: string, argv: readonly string[]) =>
  started.exec(placeIn(started, where), argv)

async function http(started: RunningLab, url: string) {
  const { stdout } = await run(started, 'client', ['curl', '-s', '-g', '-i', '--max-time', '30', url])
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': '))
      .map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return { status: Number(head.split(' ')[1]), headers, body: body.trim() }
}

/** The cluster with some endpoints changed. */
function withEndpoints(
  cluster: Cluster,
  change: (endpoint: Cluster['endpointSlices'][number]['endpoints'][number]) => object,
): Cluster {
  return {
    ...cluster,
    endpointSlices: cluster.endpointSlices.map((slice) => ({
      ...slice,
      endpoints: slice.endpoints.map((endpoint) => ({ ...endpoint, ...change(endpoint) })),
    })),
  }
}

const notReady = { conditions: { ready: false, serving: false, terminating: false } }

t.test('health checks answer as kube-proxy does', { skip: cannotRun }, async (t) => {
  const started = await start(t)
  const { cluster } = started.prepared
  const check = 'http://172.18.0.2:31000/any/path'
  const good = await http(started, check)
  t.equal(good.status, 200)
  t.match(good.headers, {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'x-load-balancing-endpoint-weight': '1',
  })
  t.same(JSON.parse(good.body), {
    service: { namespace: 'default', name: 'balanced' },
    localEndpoints: 1,
    serviceProxyHealthy: true,
  })
  t.equal((await http(started, 'http://[fd00:18::2]:31000/')).status, 200, 'IPv6')
  const livez = await http(started, 'http://172.18.0.2:10256/livez')
  t.equal(livez.status, 200, 'a Service has health checks: kube-proxy serves its own health too')
  t.ok(Date.parse((JSON.parse(livez.body) as { currentTime: string }).currentTime) > 0)

  const elsewhere = withEndpoints(cluster, ({ nodeName }) => (nodeName === 'node-a' ? notReady : {}))
  await started.proxiers?.update(elsewhere)
  const none = await http(started, check)
  t.equal(none.status, 503)
  t.match(none.headers, { 'content-type': 'application/json', 'x-load-balancing-endpoint-weight': '0' })
  t.match(JSON.parse(none.body), { localEndpoints: 0, serviceProxyHealthy: true })
  t.equal((await http(started, 'http://172.18.0.3:31000/')).status, 200, 'node-b has its endpoint')

  const tainted: Cluster = {
    ...cluster,
    nodes: cluster.nodes.map((node) =>
      node.metadata.name === 'node-a'
        ? {
            ...node,
            spec: { ...node.spec, taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }] },
          }
        : node,
    ),
  }
  await started.proxiers?.update(tainted)
  t.equal((await http(started, 'http://172.18.0.2:10256/healthz')).status, 503, 'about to be deleted')
  t.equal((await http(started, 'http://172.18.0.2:10256/livez')).status, 200, 'livez does not mind')
  t.equal((await http(started, 'http://172.18.0.3:10256/healthz')).status, 200)
  await started.proxiers?.update({ ...cluster, nodes: cluster.nodes.slice(1) })
  t.equal((await http(started, 'http://172.18.0.2:10256/healthz')).status, 503, 'deleted')

  await started.proxiers?.update({
    ...cluster,
    services: cluster.services.filter(({ metadata }) => metadata.name !== 'balanced'),
  })
  t.equal((await run(started, 'client', ['curl', '-s', '--max-time', '30', check])).exitCode, 7, 'closed')
})

t.test('a UDP flow is not left on an endpoint that is gone', { skip: cannotRun }, async (t) => {
  const started = await start(t)
  const { cluster } = started.prepared
  const pods = started.prepared.topology.pods
  const answeredBy: string[] = []
  const ask = async (port: number) => {
    const argv = ['nc', '-u', '-w', '30', '-W', '1', '-p', String(port), '172.18.0.2', '30053']
    const { stdout } = await started.exec(placeIn(started, 'client'), argv, { input: 'x' })
    return (JSON.parse(stdout) as { pod: string }).pod
  }
  const ports = Array.from({ length: 12 }, (_, index) => 41_000 + index)
  answeredBy.push(...(await Promise.all(ports.map(ask))))
  const leaving = pods.find(({ node }) => node === 'node-b')?.name ?? ''
  const going = ports.filter((_, index) => answeredBy[index] === leaving)
  t.ok(going.length > 0 && going.length < ports.length, 'both pods answered')

  const without = withEndpoints(cluster, ({ nodeName }) => (nodeName === 'node-b' ? notReady : {}))
  const reports = (await started.proxiers?.update(without)) ?? []
  const deleted = reports.flatMap(({ entriesDeleted }) => entriesDeleted)
  t.same(
    deleted.map(({ original }) => original.source.port).sort(),
    going,
    'exactly the flows of that pod lost their entry',
  )
  const again = await Promise.all(ports.map(ask))
  t.ok(
    again.every((pod) => pod !== leaving),
    'every flow reaches the pod that is left',
  )
})

t.test('rules that are flushed by hand come back', { skip: cannotRun }, async (t) => {
  const started = await start(t)
  const rules = async () => (await run(started, 'node-a', ['iptables-save', '-t', 'nat'])).stdout
  const canary = '-S KUBE-PROXY-CANARY'.split(' ')
  for (const program of ['iptables', 'ip6tables']) {
    for (const table of ['nat', 'filter', 'mangle']) {
      for (const flush of ['-F', '-X']) await run(started, 'node-a', [program, '-t', table, flush])
    }
  }
  // nobody asks: the lab looks by itself every syncPeriod, 100 ms here
  const back = async () =>
    (await run(started, 'node-a', ['iptables', ...canary, '-t', 'nat'])).exitCode === 0 &&
    (await run(started, 'node-a', ['ip6tables', ...canary, '-t', 'nat'])).exitCode === 0
  t.ok(await until(back), 'the rules come back')
  t.match(await rules(), /--dport 30080 -j KUBE-EXT-/)
  t.match(await rules(), /-A PREROUTING .* -j KUBE-SERVICES/)
  t.equal((await http(started, 'http://172.18.0.2:30080/')).status, 200, 'and they do what they should')
  t.same(await started.proxiers?.check(), [], 'nothing is amiss now')
})

t.test('kube-proxy serves its health in a lab that is kept', { skip: cannotRun }, async (t) => {
  const started = await start(t, { healthz: true })
  const { cluster } = started.prepared
  await started.proxiers?.update({ ...cluster, services: [] })
  const { status, body } = await http(started, 'http://172.18.0.3:10256/healthz')
  t.equal(status, 200)
  t.match(JSON.parse(body), { nodeEligible: true })
  t.equal((await http(started, 'http://172.18.0.3:10256/other')).status, 404)
})
