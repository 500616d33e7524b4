import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isReady } from '../../src/cluster/pods/podFacts.js'
import type { Pod } from '../../src/cluster/types.js'
import { placeOf } from '../../src/names/placeOf.js'
import { prepareLab, type PreparedLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import type { Place } from '../../src/topology/types.js'
import { check } from '../../src/diagnose/check/check.js'
import { readSnapshot } from '../../src/host/readings.js'
import { readSnapshotText, snapshotText } from '../../src/snapshot/file/snapshotText.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import { deployment, applies } from '../cluster/lab.js'
import { cannotRun } from './ability.js'
import { machineState } from './machineState.js'
import { startLab } from './startLab.js'

const lab = `title: A lab that lives
topology: { nodes: [node-a, node-b], clients: [client], families: [IPv4, IPv6] }
manifests: [manifests]
steps: [{ name: none, command: ['true'], expect: { exitCode: 0 } }]
`

function manifest(more = ''): string {
  const container = `{ name: web, image: nginx, ports: [{ containerPort: 80 }, { containerPort: 8081 }]${more} }`
  return `${deployment('web', 2, '', container)}apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: NodePort
  ipFamilyPolicy: PreferDualStack
  selector: { app: web }
  ports: [{ port: 80, nodePort: 30080 }]
`
}

function prepare(t: Test, text: string): PreparedLab {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-live-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(join(folder, 'lab.yaml'), lab)
  writeFileSync(join(folder, 'manifests', 'app.yaml'), text)
  return prepareLab(folder)
}

async function start(t: Test, text: string): Promise<RunningLab> {
  const prepared = prepare(t, text)
  return startLab(t, prepared, { capture: false, label: prepared.lab.name })
}

const web = { kind: 'Deployment', namespace: 'default', name: 'web' }

/** A snapshot as a file gives it back. */
function receivedSnapshot(snapshot: Snapshot): Snapshot {
  return readSnapshotText('lab.json', snapshotText(snapshot), () => true)
}

function pods({ live }: RunningLab): readonly Pod[] {
  return live.state().cluster.pods
}

function placeNamed({ live }: RunningLab, name: string): Place {
  const { names, topology } = live.state()
  return placeOf(names, topology.places, name)
}

/** Which pods answer the client through a node, by name; the number of requests that nobody answered. */
async function ask(
  started: RunningLab,
  requests: number,
  node = 0,
  timeoutSeconds = 30,
): Promise<{ served: Map<string, number>; lost: number }> {
  const { topology } = started.live.state()
  const address = topology.nodes[node]?.addresses[0]?.address ?? ''
  const seen = await started.observe(
    placeNamed(started, 'client'),
    { kind: 'curl', url: `http://${address}:30080/`, headers: {}, timeoutSeconds },
    requests,
    { expected: ['timeout'] },
  )
  const served = new Map<string, number>()
  for (const { echo } of seen.requests)
    if (echo !== undefined) served.set(echo.pod, (served.get(echo.pod) ?? 0) + 1)
  return { served, lost: seen.requests.filter(({ echo }) => echo === undefined).length }
}

t.test('a Deployment that is scaled gets pods, addresses and rules', { skip: cannotRun }, async (t) => {
  const before = machineState()
  await withRunningLab(prepare(t, manifest()), { capture: false }, async (started) => {
    await started.live.write([{ verb: 'scale', ref: web, replicas: 5 }])
    t.strictSame(await started.live.settled(60_000), [])
    t.equal(pods(started).length, 5)
    t.ok(pods(started).every(isReady))
    const all = await ask(started, 200)
    t.equal(all.lost, 0)
    t.strictSame(
      [...all.served.keys()].sort(),
      pods(started)
        .map(({ metadata }) => metadata.name)
        .sort(),
    )
    await started.live.write([{ verb: 'scale', ref: web, replicas: 1 }])
    t.strictSame(await started.live.settled(60_000), [])
    const one = await ask(started, 20)
    t.equal(one.lost, 0)
    t.strictSame(
      [...one.served.keys()],
      pods(started).map(({ metadata }) => metadata.name),
    )
    const names = await started.sandbox.run(['ip', 'netns', 'list'])
    const kept = names.stdout.split('\n').filter((line) => line.startsWith('web-'))
    t.equal(kept.length, 1, 'namespaces of pods that went are gone')
  })
  t.strictSame(machineState(), before)
})

t.test('a pod that is replaced gets a new name and a new address', { skip: cannotRun }, async (t) => {
  const started = await start(t, manifest())
  const [old] = pods(started)
  await started.live.write([
    {
      verb: 'delete',
      ref: { kind: 'Pod', namespace: 'default', name: old?.metadata.name ?? '' },
    },
  ])
  t.strictSame(await started.live.settled(60_000), [])
  const names = pods(started).map(({ metadata }) => metadata.name)
  t.equal(names.length, 2)
  t.notOk(names.includes(old?.metadata.name ?? ''))
  t.notOk(pods(started).some(({ status }) => status?.podIP === old?.status?.podIP))
  t.equal((await ask(started, 40)).lost, 0)
})

const probe =
  ', readinessProbe: { httpGet: { port: 8081, path: /healthz }, periodSeconds: 1, timeoutSeconds: 60, failureThreshold: 1 }'

t.test(
  'a readiness probe takes a pod out of its Service, and puts it back',
  { skip: cannotRun },
  async (t) => {
    const started = await start(t, manifest(probe))
    const [pod] = pods(started)
    const name = pod?.metadata.name ?? ''
    const reject = (flag: string) => [
      ...[started.machine.iptables.program('IPv4'), flag, 'INPUT', '-p', 'tcp', '--dport', '8081'],
      ...['-j', 'REJECT', '--reject-with', 'tcp-reset'],
    ]
    const turns = (ready: boolean) =>
      new Promise<void>((resolve) => {
        const stop = started.live.onState(({ cluster }) => {
          const now = cluster.pods.find(({ metadata }) => metadata.name === name)
          if (now === undefined || isReady(now) !== ready) return
          stop()
          resolve()
        })
      })
    const fails = turns(false)
    await started.exec(placeNamed(started, name), reject('-I'))
    await fails
    const without = await ask(started, 40)
    t.equal(without.lost, 0)
    t.notOk(without.served.has(name), 'it serves nobody while its probe fails')
    t.strictSame(await started.live.settled(60_000), [], 'not ready is settled')
    const holds = turns(true)
    await started.exec(placeNamed(started, name), reject('-D'))
    await holds
    t.ok((await ask(started, 60)).served.has(name), 'it serves again')
  },
)

t.test(
  'a node off the fabric does not answer, and does again when it is back',
  { skip: cannotRun },
  async (t) => {
    const started = await start(t, manifest())
    await started.live.setNode('node-b', 'down')
    t.equal((await ask(started, 1, 1, 1)).lost, 1, 'node-b is not reached')
    const here = await ask(started, 20, 0)
    t.equal(here.lost, 0, 'node-a sends nobody there')
    await started.live.setNode('node-b', 'up')
    t.strictSame(await started.live.settled(60_000), [])
    t.equal((await ask(started, 10, 1)).lost, 0)
    t.equal((await ask(started, 60, 0)).served.size, 2)
  },
)

t.test(
  'a Service that asks for another port gets it where pods declare none',
  { skip: cannotRun },
  async (t) => {
    const undeclared = manifest().replace(/, ports: \[\{ containerPort.*?\]/, '')
    const started = await start(t, undeclared)
    const text = undeclared.replace(
      'port: 80, nodePort: 30080',
      'port: 80, targetPort: 9000, nodePort: 30080',
    )
    const { said } = await started.live.write(applies(text))
    t.strictSame([...said].sort(), ['deployment.apps/web unchanged', 'service/web configured'])
    t.equal((await ask(started, 20)).lost, 0)
  },
)

t.test('a targetPort that pods do not declare is not opened', { skip: cannotRun }, async (t) => {
  const started = await start(t, manifest())
  const text = manifest().replace('port: 80, nodePort: 30080', 'port: 80, targetPort: 9000, nodePort: 30080')
  await started.live.write(applies(text))
  t.equal((await ask(started, 1, 0, 1)).lost, 1)
})

t.test('a restarted kube-proxy writes everything again', { skip: cannotRun }, async (t) => {
  const started = await start(t, manifest())
  const program = started.machine.iptables.program('IPv4')
  await started.exec(placeNamed(started, 'node-a'), [program, '-t', 'nat', '-F', 'KUBE-SERVICES'])
  t.equal((await ask(started, 1, 0, 1)).lost, 1)
  await started.live.restartKubeProxy('node-a')
  t.equal((await ask(started, 10)).lost, 0)
})

t.test('each kube-proxy has the configuration with which it was started', { skip: cannotRun }, async (t) => {
  const started = await start(t, manifest())
  const configMap = (range: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system }
data: { config.conf: "apiVersion: kubeproxy.config.k8s.io/v1alpha1\\nkind: KubeProxyConfiguration\\nclusterCIDR: ${range}" }
`
  const configure = (range: string) => started.live.write(applies(configMap(range)))
  const read = async () => {
    const snapshot = receivedSnapshot(await readSnapshot(started.sandbox, started.model()))
    const found = check(snapshot).findings
    return found.map(({ code, node, fixes }) => ({ code, node, command: fixes[0]?.command }))
  }
  const code = 'cluster-cidr-different'
  const restart = `vethlab restart ${started.prepared.lab.name} kube-proxy`
  await configure('10.32.0.0/12')
  t.strictSame(await read(), [], 'nothing changes before a restart')
  await started.live.restartKubeProxy('node-a')
  t.match(await read(), [{ code, node: 'node-a', command: new RegExp(` && ${restart}$`) }])
  await started.live.restartKubeProxy('node-b')
  await configure('10.244.0.0/16,fd00:244::/48')
  await started.live.restartKubeProxy('node-a')
  t.strictSame(await read(), [{ code, node: 'node-b', command: `${restart}/node-b` }])
  await started.live.restartKubeProxy('node-b')
  t.strictSame(await read(), [])
})
