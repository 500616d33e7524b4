import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../src/errors.js'
import { runLab } from '../../src/lab/steps/runLab.js'
import { withLab } from '../../src/lab/up/withLab.js'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { machineState } from './machineState.js'
import { deployment } from '../cluster/lab.js'
import { runs } from '../suite.js'

const container =
  '{ name: web, image: nginx, ports: [{ containerPort: 80 }, { containerPort: 53, protocol: UDP }] }'

const manifest = `${deployment('web', 2, '', container)}apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: NodePort
  selector: { app: web }
  ports:
    - { name: http, port: 80, nodePort: 30080 }
    - { name: dns, port: 53, protocol: UDP, nodePort: 30053 }
`

const second = `apiVersion: v1
kind: Service
metadata: { name: second }
spec:
  selector: { app: web }
  ports: [{ port: 8080, targetPort: 80 }]
`

function labFolder(t: Test, steps: string, families = '[IPv4]'): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-steps-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(
    join(folder, 'lab.yaml'),
    `topology: { clients: [client, shopper], families: ${families} }\nmanifests: [manifests]\nsteps:\n${steps}`,
  )
  writeFileSync(join(folder, 'manifests', 'app.yaml'), manifest)
  writeFileSync(join(folder, 'second.yaml'), second)
  return folder
}

/** The names of the checks that failed, by step. */
function failures({ steps }: LabResult): Record<string, string[]> {
  const failed = steps.map(
    ({ name, checks }) => [name, checks.flatMap((check) => (check.ok ? [] : [check.name]))] as const,
  )
  return Object.fromEntries(failed.filter(([, names]) => names.length > 0))
}

const everyKind = `
  - name: shoppers come
    from: shopper
    load: { name: shoppers, curl: 'http://{node-a}:{web.nodePort.http}/', every: 10ms, parallel: 2 }
  - name: scale
    scale: { deployment/web: 3 }
    expect:
      endpoints: { service: web, ready: 3, notReady: 0, slices: 1, addresses: app=web }
      rules: { added: [KUBE-SEP-*, { chain: nat/KUBE-SVC-*, contains: --probability }], on: [node-a, node-b] }
      object: { of: deployment/web, field: spec.replicas, equals: 3 }
  - name: apply
    apply: second.yaml
    expect: { rules: { added: KUBE-SVC-* }, object: { of: svc/second, field: 'spec.ports[0].port', equals: 8080 } }
  - name: what was applied answers
    from: app=web@node-a
    curl: http://{second}:8080/
    expect: { status: 200, servedBy: app=web }
  - name: packets of a load are not a step's
    from: shopper
    curl: http://{node-a}:{web.nodePort.http}/
    expect: { dnat: { to: web, at: node-a }, answerFrom: called }
  - name: a port out of range
    apply:
      apiVersion: v1
      kind: Service
      metadata: { name: low }
      spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 80 }] }
    expect:
      rejected: { contains: provided port is not in the valid range }
      rules: { unchanged: true }
      object: { of: service/low, absent: true }
  - name: patch
    patch: { object: service/second, with: { spec: { externalIPs: ['192.0.2.99'], sessionAffinity: ClientIP } } }
    expect:
      rules: { added: { chain: KUBE-SERVICES, contains: 192.0.2.99/32 } }
      object: { of: service/second, field: spec.sessionAffinity, matches: ^ClientIP$ }
  - name: label
    label: { objects: app=web@node-a, set: { app: out } }
    expect: { endpoints: { service: web, ready: 3, addresses: app=web } }
  - name: annotate
    annotate: { objects: service/second, set: { a/b: c } }
    expect: { object: { of: service/second, field: "metadata.annotations['a/b']", equals: c }, rules: { unchanged: true } }
  - name: delete
    delete: [service/second, app=out]
    expect: { rules: { removed: KUBE-SVC-* }, object: { of: service/second, absent: true } }
  - name: restart
    restart: deployment/web
    settle: false
  - name: until it is through
    wait: { for: deployment/web, until: rolledOut }
    expect: { endpoints: { service: web, ready: 3, terminating: 0 } }
  - name: kube-proxy
    restart: { kubeProxy: node-a }
    expect: { rules: { unchanged: true } }
  - name: a node goes
    node: { down: node-b }
  - name: it is not ready
    wait: { for: node/node-b, until: notReady }
  - name: it comes back
    node: { up: node-b }
    expect: { endpoints: { service: web, ready: 3 } }
  - name: down to one
    scale: { deployment/web: 1 }
  - name: shoppers go
    stop: shoppers
    expect: { answered: { min: 20 }, servedBy: app=web }
`

for (const iptables of (['nft', 'legacy'] as const).slice(0, runs(2, 1)))
  t.test(`every kind of change, and a load meanwhile (${iptables})`, { skip: cannotRun }, async (t) => {
    const before = machineState()
    const result = await runLab(labFolder(t, everyKind), { iptables })
    t.strictSame(failures(result), {})
    t.equal(result.steps.length, 18)
    const stop = result.steps.at(-1)
    t.match(stop?.summary?.[0], /^shoppers: \d+ requests in [\d.]+ s, \d+ answered \(web-.* \d+/)
    t.match(result.steps[1]?.action, 'kubectl scale deployment/web --replicas=3')
    t.strictSame(machineState(), before)
  })

t.test('expectations of changes fail where they do not hold', { skip: cannotRun }, async (t) => {
  const steps = `
  - name: nothing comes of it
    label: { objects: service/web, set: { a: b } }
    expect:
      rules: { added: KUBE-SEP-* }
      endpoints: { service: web, ready: 3 }
      object: { of: service/web, field: 'spec.ports[0].port', equals: 81 }
      rejected: { contains: anything }
  - name: something does
    scale: { deployment/web: 1 }
    expect:
      rules: { unchanged: true }
      endpoints: { service: web, addresses: 10.9.9.9 }
      object: { of: deployment/web, absent: true }
  - name: another message
    scale: { deployment/web: -1 }
`
  await t.rejects(runLab(labFolder(t, steps)), InputError)
  const result = await runLab(labFolder(t, steps.replace(/ {2}- name: another message[^]*/, '')))
  t.strictSame(failures(result), {
    'nothing comes of it': [
      'rules: + KUBE-SEP-*',
      'rejected by the API server',
      'endpoints of web: 3 ready',
      'service/web spec.ports[0].port: 81',
    ],
    'something does': [
      'rules: unchanged',
      'endpoints of web: the ready ones are 10.9.9.9',
      'deployment/web: absent',
    ],
  })
})

t.test(
  'what is not so in time is a failed check, and so is a name that has gone',
  { skip: cannotRun },
  async (t) => {
    const steps = `
  - name: never
    wait: { for: deployment/web, until: gone, timeout: 100ms } # short on purpose: it is never gone
  - name: a pod goes by itself
    from: node-a
    command: [ip, link, show, dev, eth0]
    expect: { exitCode: 0 }
  - name: its name with it
    delete: app=web@node-a
    expect: { conntrack: { on: node-a, noEntry: { original: { destination: '10.9.9.9:1' } } } }
  - name: not settled
    apply:
      apiVersion: v1
      kind: Pod
      metadata: { name: homeless }
      spec: { nodeSelector: { disk: none }, containers: [{ name: web, image: nginx }] }
    settle: 1ms # short on purpose: no node has the label
`
    const result = await runLab(labFolder(t, steps))
    t.strictSame(failures(result), {
      never: ['deployment/web is gone'],
      'not settled': ['settled'],
    })
    t.match(result.steps.at(-1)?.checks.at(-1)?.observed, /pod default\/homeless is (starting|pending)/)
  },
)

t.test('a load reports what was lost, and when', { skip: cannotRun }, async (t) => {
  const steps = `
  - name: asks
    load: { name: asks, curl: { url: 'http://{node-a}:{web.nodePort.http}/', timeout: 30s }, every: 20ms }
    expect: { answered: [{ min: 1, during: asks }, { max: 0, during: refused for a while }] }
  - name: no pods
    scale: { deployment/web: 0 }
  - name: refused for a while
    wait: { for: app=web, until: ready, timeout: 5s } # short on purpose: there is no such pod
  - name: datagrams
    load: { name: datagrams, nc: { host: '{node-a}', port: '{web.nodePort.dns}', udp: true, sourcePort: 5353, timeout: 30s }, every: 10ms }
  - name: pods again
    scale: { deployment/web: 1 }
  - name: until one is answered
    from: node-a
    command: [sh, -c, 'until conntrack -L -p udp --orig-port-src 5353 2>/dev/null | grep -q ASSURED; do :; done']
  - name: datagrams end
    stop: datagrams
    expect: { answered: { min: 1 }, refused: { min: 1 } }
  - name: a client of the same place
    curl: http://{node-a}:{web.nodePort.http}/
    expect: { servedBy: app=web, dnat: { to: web } }
`
  const result = await runLab(labFolder(t, steps))
  t.strictSame(Object.keys(failures(result)), ['refused for a while'])
  const end = result.steps.at(-1)
  t.equal(end?.name, 'At the end: asks')
  t.match(end?.summary?.join('\n'), /refused during "refused for a while"/)
})

t.test(
  'pods that end gracefully lose no request, however many come and go',
  { skip: cannotRun },
  async (t) => {
    const steps = `
  - name: asks
    load: { name: asks, curl: 'http://{node-a}:{web.nodePort.http}/', every: 5ms, parallel: 2 }
  - name: roll
    restart: deployment/web
  - name: fewer
    scale: { deployment/web: 1 }
  - name: end
    stop: asks
    expect: { answered: true, lost: 0, refused: 0, reset: 0, servedBy: app=web }
`
    const folder = labFolder(t, steps)
    const patient = manifest.replace(
      'image: nginx',
      'image: nginx, lifecycle: { preStop: { sleep: { seconds: 1 } } }',
    )
    writeFileSync(join(folder, 'manifests', 'app.yaml'), patient)
    t.strictSame(failures(await runLab(folder)), {})
  },
)

t.test('a load on IPv6, from a pod', { skip: cannotRun }, async (t) => {
  const steps = `
  - name: asks
    from: app=web@node-a
    load: { name: asks, curl: 'http://{web}:{web.port.http}/?a[1]={{x}', every: 10ms }
  - name: meanwhile
    from: app=web@node-b
    nc: { host: '{node-a}', port: '{web.nodePort.dns}', udp: true, sourcePort: 5555, send: hello, timeout: 30s }
    expect: { servedBy: app=web, conntrack: { on: node-b, entry: { original: { source: 'app=web@node-b:5555' } } } }
  - name: end
    stop: asks
    expect: { answered: { min: 2 }, lost: 0, servedBy: { service: web }, status: 200 }
`
  t.strictSame(failures(await runLab(labFolder(t, steps, '[IPv6]'))), {})
})

t.test('a custom test changes a lab', { skip: cannotRun }, async (t) => {
  const before = machineState()
  await withLab(labFolder(t, `  - { name: none, command: ['true'] }\n`), async (lab) => {
    t.strictSame(await lab.scale('deployment/web', 3), ['deployment.apps/web scaled'])
    t.strictSame(await lab.settled(), [])
    t.equal(lab.topology.pods.length, 3)
    t.strictSame(await lab.apply(second), ['service/second created'])
    const [address = ''] = lab.addresses('second')
    t.match((await lab.flow('node-a', `http://${address}:8080/`)).request, { outcome: 'answered' })
    const named = await lab.flow('node-a', 'http://{second}:{second.port}/{id}?a={x}')
    t.match(named.request, { outcome: 'answered', http: { status: 200 } })
    const nc = { kind: 'nc', host: '{node-a}', udp: true, send: '{"a":"{b}"}', timeoutSeconds: 30 } as const
    t.match((await lab.flow('node-b', { ...nc, port: '{web.nodePort.dns}' })).request, {
      outcome: 'answered',
    })
    const printed = { kind: 'command', argv: ['echo', '{web} {'], timeoutSeconds: 30 } as const
    t.equal((await lab.flow('node-b', printed)).request.stdout, '{web} {\n', 'what is sent stays as it is')
    const curl = {
      kind: 'curl',
      url: 'http://{web}:80/',
      headers: { 'X-A': '{b}' },
      body: '{"a":1}',
      timeoutSeconds: 30,
    } as const
    t.match((await lab.flow('node-b', curl)).request, { exitCode: 0 })
    t.strictSame(await lab.apply([{ ...JSON.parse(configMap) }]), ['configmap/notes created'])
    t.strictSame(await lab.patch('service/web', { metadata: { labels: { a: 'b' } } }), [
      'service/web patched',
    ])
    t.strictSame(await lab.annotate('service/web', { a: 'b' }), ['service/web annotated'])
    t.strictSame(await lab.label('service/web', { a: null }), ['service/web unlabeled'])
    t.strictSame(await lab.restart('deployment/web'), ['deployment.apps/web restarted'])
    t.equal(await lab.wait('deployment/web', 'rolledOut'), true)
    t.equal(await lab.wait('service/web', { endpoints: 9 }, 50), false)
    await lab.restartKubeProxy('node-a')
    await lab.setNode('node-b', 'down')
    t.equal(await lab.wait('node/node-b', 'notReady'), true)
    await lab.setNode('node-b', 'up')
    t.match(await lab.delete(['service/second', 'app=web'], { gracePeriodSeconds: 1 }), [/second/, /web-/])
    await t.rejects(lab.scale('deployment/wbe', 1), { message: /deployments.apps "wbe" not found/ })
    await t.rejects(lab.delete('app=none'), InputError)
    await t.rejects(lab.wait('service/web', 'ready'), InputError)
    const refused: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [() => lab.exec('node-a', 'ip link' as never), /^exec: argv: expected array, received string/],
      [() => lab.flow('node-a', 'web'), /^flow: request: expected an http/],
      [() => lab.flow('node-a', 'http://{secnd}/'), /"secnd"/],
      [() => lab.flow('node-a', { ...nc, port: '{web.nodePort.dsn}' }), /dsn/],
      [() => lab.flow('node-a', { ...nc, port: 'dns' }), /^flow: request\.port: expected a port, or a name/],
      [() => lab.flow('node-a', { kind: 'nc', port: 99_999 } as never), /^flow: request\.host: /],
      [() => lab.trace('node-a', '{web}:80', { sourcePort: 0 }), /^trace: options\.sourcePort: .*>=1/],
      [() => lab.scale('deployment/web', '3' as never), /^scale: replicas: expected number/],
      [() => lab.setNode('node-a', 'off' as never), /^setNode: state: expected one of "up"\|"down"/],
      [() => lab.wait('deployment/web', 'done' as never), /^wait: until: expected available, /],
    ]
    for (const [call, message] of refused) await t.rejects(call(), { constructor: InputError, message })
  })
  t.strictSame(machineState(), before)
})

const configMap = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"notes"},"data":{"a":"b"}}'
