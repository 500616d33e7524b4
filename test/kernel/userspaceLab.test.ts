import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import t from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { start } from './commandLine.js'
import { machineState, pidNamespace, processesIn, processesWith } from './machineState.js'
import { vethlab } from './servedCommands.js'
import { webManifest } from './webManifest.js'
import { until } from '../until.js'

const manifest = `${webManifest}---
apiVersion: v1
kind: Service
metadata: { name: nobody }
spec:
  selector: { app: nobody }
  ports: [{ port: 80 }]
`

const head = `title: Mode userspace, live
topology: { families: [IPv4, IPv6], clients: [client] }
manifests: [app.yaml]
proxy: { mode: userspace }
steps:
`

const live = `${head}
  - name: Other endpoints are no concern of the rules
    scale: { deployment/web: 2 }
    expect: { rules: { unchanged: true } }
  - name: The new pod is served
    from: app=web@node-a
    curl: http://{web}/
    repeat: 32
    expect: { status: 200, share: { service: web }, chains: { hit: KUBE-PORTALS-CONTAINER, on: node-a } }
  - name: A node port is a port that kube-proxy holds
    patch: { object: service/web, with: { spec: { type: NodePort, ports: [{ port: 80, nodePort: 30080 }] } } }
    expect: { rules: { added: { chain: KUBE-NODEPORT-CONTAINER, contains: --to-ports }, on: node-b } }
  - name: Nobody else can have it
    from: node-b
    command: [ss, -Hltn, 'sport = :30080']
    expect: { output: { contains: ':30080' } }
  - name: From outside it answers
    curl: http://{node-b}:30080/
    expect: { status: 200, clientAddress: node-b, answerFrom: called }
  - name: And over IPv6
    curl: 'http://{node-b.ipv6}:30080/'
    expect: { status: 200 }
  - name: Without endpoints a client is accepted, and let go
    from: app=web@node-a
    curl: http://{nobody}/
    expect: { fails: reset }
  - name: Another kube-proxy has other ports, and its rules lead there
    restart: { kubeProxy: node-b }
    expect:
      rules:
        added: { chain: KUBE-NODEPORT-CONTAINER, contains: --to-ports }
        removed: { chain: KUBE-NODEPORT-CONTAINER, contains: --to-ports }
        on: node-b
  - name: Which serve as before
    curl: http://{node-b}:30080/
    expect: { status: 200 }
  - name: What somebody flushes comes back with a kube-proxy that starts
    from: node-a
    command: [iptables, -t, nat, -F]
  - name: With its jumps
    restart: { kubeProxy: node-a }
    expect: { rules: { added: { chain: PREROUTING, contains: KUBE-PORTALS-CONTAINER }, on: node-a } }
  - name: So that the node serves again
    curl: http://{node-a}:30080/
    expect: { status: 200 }
  - name: The Service goes, and its rules
    delete: service/web
    expect: { rules: { removed: { chain: KUBE-PORTALS-HOST, contains: default/web } } }
  - name: Its port is free
    from: node-b
    command: [ss, -Hltn, 'sport = :30080']
    expect: { output: { equals: '' } }
`

const killed = `${head}
  - name: Somebody kills a kube-proxy
    from: node-a
    command: [sh, -c, 'kill -9 $(cat /run/vethlab/portals/node-a.0.pid); while kill -0 $(cat /run/vethlab/portals/node-a.0.pid) 2>/dev/null; do :; done']
`

const folder = mkdtempSync(join(tmpdir(), 'vethlab-userspace-'))
t.teardown(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const lab = join(folder, name)
  mkdirSync(lab)
  writeFileSync(join(lab, 'lab.yaml'), text)
  writeFileSync(join(lab, 'app.yaml'), manifest)
  return lab
}

for (const backend of ['nft', 'legacy']) {
  t.test(`portals follow the cluster, iptables-${backend}`, { skip: cannotRun }, async (t) => {
    const lab = write(`live-${backend}`, live)
    const { code, stdout, stderr } = await vethlab(['run', lab, '--iptables', backend, '--reporter', 'json'])
    if (stdout === '') throw new Error(stderr)
    const { steps } = JSON.parse(stdout) as LabResult
    const failed = steps.flatMap(({ name, error, checks }) => [
      ...(error === undefined ? [] : [{ name, error }]),
      ...checks.filter(({ ok }) => !ok).map((check) => ({ step: name, ...check })),
    ])
    t.same(failed, [])
    t.equal(code, 0)
  })
}

t.test('a kube-proxy that is killed fails the lab, and says which it was', { skip: cannotRun }, async (t) => {
  const { code, stdout, stderr } = await vethlab(['run', write('killed', killed)])
  t.equal(code, 1)
  t.match(stdout + stderr, /kube-proxy of node-a ended/)
})

t.test('a run that is killed leaves no kube-proxy behind', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const lab = write('left-behind', live)
  for (let round = 0; round < runs(5, 2); round++) {
    const run = start(['run', lab])
    let inside: string | undefined
    const proxies = () => {
      const first = processesWith(basename(lab)).find(
        (pid) => pidNamespace(pid) !== pidNamespace(process.pid),
      )
      inside = first === undefined ? undefined : pidNamespace(first)
      const all = processesWith(resolve('dist/portals.cjs'))
      return inside === undefined ? [] : all.filter((pid) => pidNamespace(pid) === inside)
    }
    t.ok(await until(() => proxies().length > 0), 'a kube-proxy runs')
    run.kill('SIGKILL')
    await run.ended
    t.ok(await until(() => processesIn(inside ?? '').length === 0), `round ${round}: and is gone`)
  }
  t.same(machineState(), before)
})
