import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { changeText } from '../../../src/lab/changes/changeText.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { isRequest } from '../../../src/lab/file/toStep.js'
import { deployment } from '../../cluster/lab.js'

const manifest = `${deployment('web', 2)}apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 30080 }] }
`

const second = `apiVersion: v1
kind: Service
metadata: { name: second }
spec: { selector: { app: web }, ports: [{ port: 81 }] }
`

function prepare(t: Test, steps: string) {
  const cwd = t.testdir({
    lab: { manifests: { 'app.yaml': manifest }, 'second.yaml': second, 'bad.yaml': `${second}typo: 1\n` },
  })
  writeFileSync(join(cwd, 'lab/lab.yaml'), `steps:\n${steps}`)
  return prepareLab('lab', { cwd })
}

/** What is wrong with a lab of these steps, a line each, without the file's name where it is lab.yaml's. */
function refusal(t: Test, steps: string): string[] {
  try {
    prepare(t, steps)
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('lab/lab.yaml:', '').split('\n')
    throw error
  }
  return []
}

function step(action: string, name = 'a step'): string {
  return `  - { name: ${name}, ${action} }\n`
}

t.test('pods that end have their names until the lab settles', async (t) => {
  const label = step('label: { objects: app=web@node-a, set: { app: out } }')
  const leave = 'delete: app=out, settle: false'
  t.strictSame(refusal(t, label + step(leave) + step("ping: '{app=out}'")), [])
  t.match(refusal(t, label + step('delete: app=out') + step("ping: '{app=out}'")), [/app=out/])
  t.match(
    refusal(t, label + step(leave) + step('scale: { deployment/web: 4 }') + step("ping: '{app=out}'")),
    [/app=out/],
  )
})

t.test('names mean what they will mean once the steps before have changed the lab', async (t) => {
  const { steps } = prepare(
    t,
    [
      step('apply: second.yaml'),
      step("curl: 'http://{second}:81/'"),
      step('label: { objects: app=web@node-a, set: { app: out } }'),
      step("ping: '{app=out}'"),
      step(
        'scale: { deployment/web: 4 }, expect: { endpoints: { service: web, addresses: app=web@node-b } }',
      ),
      step('delete: [svc/second, app=out]'),
      step('delete: { file: manifests }'),
    ].join(''),
  )
  t.match(steps[1]?.action, { url: /^http:\/\/10\.96\.\d+\.\d+:81\/$/ })
  const texts = steps.flatMap(({ action }) => (isRequest(action) ? [] : [changeText(action)]))
  t.strictSame(texts, [
    'kubectl apply -f second.yaml',
    'kubectl label app=web@node-a app=out',
    'kubectl scale deployment/web --replicas=4',
    'kubectl delete svc/second app=out',
    'kubectl delete -f manifests',
  ])
})

t.test('what a step does, in the words that one would type', async (t) => {
  const inline = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: notes } }'
  const { steps } = prepare(
    t,
    [
      step(`apply: [second.yaml, ${inline}]`),
      step('delete: { objects: app=web, gracePeriodSeconds: 1 }'),
      step('annotate: { objects: svc/web, set: { a: b c }, remove: x }'),
      step('patch: { object: svc/web, with: { spec: { sessionAffinity: ClientIP } } }'),
      step('restart: [deploy/web]'),
      step('restart: kube-proxy'),
      step('restart: { kubeProxy: node-b }'),
      step('node: { down: node-a, up: [node-b] }'),
      step('wait: { for: svc/web, until: { endpoints: 2 }, timeout: 500ms }'),
    ].join(''),
  )
  t.strictSame(
    steps.map(({ action }) => (isRequest(action) ? '' : changeText(action))),
    [
      'kubectl apply -f second.yaml configmap/notes',
      'kubectl delete app=web --grace-period=1',
      "kubectl annotate svc/web 'a=b c' x-",
      `kubectl patch svc/web --type=merge -p '{"spec":{"sessionAffinity":"ClientIP"}}'`,
      'kubectl rollout restart deploy/web',
      'restart kube-proxy',
      'restart kube-proxy on node-b',
      'node node-a down node node-b up',
      'wait svc/web --for=endpoints=2 --timeout=0.5s',
    ],
  )
  const restarts = steps.flatMap(({ action }) => (action.kind === 'change' ? action.changes : []))
  t.match(
    restarts.filter(({ of }) => of === 'kube-proxy'),
    [{ node: 'node-a' }, { node: 'node-b' }, { node: 'node-b' }],
  )
})

t.test('a change that would be refused, and names that will mean nothing, each at its place', async (t) => {
  t.match(refusal(t, step('scale: { deployment/wbe: 3 }')), [
    /^2:\d+: deployments\.apps "wbe" not found; did you mean "web"\?$/,
  ])
  t.match(refusal(t, step('scale: { depl/web: 3 }')), [
    /resource type "depl" in scale of step 1; write kind\/name/,
  ])
  t.match(refusal(t, step('scale: { service/web: 3 }')), [/cannot be scaled|could not find the requested/])
  t.match(refusal(t, step('delete: web')), [/"web" does not name an object in delete of step 1/])
  t.match(refusal(t, step('delete: service/app=web')), [/only pods can be named by a selector/])
  t.match(refusal(t, step('label: { objects: app=wbe, set: { a: b } }')), [/no pod has the label app=wbe/])
  t.match(refusal(t, step('apply: third.yaml')), [/no file or folder "third\.yaml" in apply of step 1/])
  t.match(refusal(t, step('apply: bad.yaml')), [/^lab\/bad\.yaml:5:1: .*unknown field "typo"/])
  t.match(refusal(t, step('node: { down: node-c }')), [/no node named "node-c"/])
  t.match(refusal(t, step('restart: { kubeProxy: web }')), [/"web" is a Service; a node is needed/])
  t.match(refusal(t, step("patch: { object: svc/web, with: { spec: { externalIPs: ['{nod-a}'] } } }")), [
    /named "nod-a".*did you mean/,
  ])
  t.match(refusal(t, step('wait: { for: service/web, until: ready }')), [/a Service is never ready/])
  t.match(refusal(t, step('wait: { for: pod/x, until: { endpoints: 1 } }')), [/a Pod has no endpoints/])
  t.match(
    refusal(
      t,
      step('delete: service/web') + step("curl: 'http://{web}/'") + step("curl: 'http://{node-a}/'"),
    ),
    [/^3:\d+: .*named "web"/],
  )
})

t.test('an object in lab.yaml is checked as one in a file is', async (t) => {
  const steps = `  - name: a step
    apply:
      - apiVersion: v1
        kind: Service
        metadata: { name: low }
        spec:
          type: NodePort
          ports: [{ port: 80, nodePort: 80 }]
`
  t.match(refusal(t, steps), [/^9:\d+: .*spec\.ports\[0\]\.nodePort: Invalid value: 80/])
  t.match(refusal(t, steps.replace('type:', 'tpye:')), [/^8:\d+: .*tpye/])
  t.strictSame(refusal(t, `${steps}    expect: { rejected: { contains: not in the valid range } }\n`), [])
})

t.test('a step says nothing that its action has no use for', async (t) => {
  t.match(refusal(t, step('scale: { deployment/web: 3 }, from: node-a')), [
    /"from" in step 1 does not apply to a change/,
  ])
  t.match(refusal(t, step('scale: { deployment/web: 3 }, repeat: 3')), [/"repeat" in step 1/])
  t.match(refusal(t, step('ping: 10.0.0.1, settle: false')), [/"settle" in step 1/])
  t.match(refusal(t, step('scale: { deployment/web: 3 }, expect: { status: 200 }')), [
    /does not apply to a change/,
  ])
  t.match(refusal(t, step('ping: 10.0.0.1, expect: { rejected: x }')), [/does not apply to a ping/])
  t.match(
    refusal(
      t,
      step('scale: { deployment/web: 1 }, expect: { conntrack: { on: node-a, entry: { protocol: udp } } }'),
    ),
    [/write noEntry/],
  )
  t.match(refusal(t, step('scale: {}, delete: svc/web')), [/several actions \(delete, scale\)/])
  t.match(refusal(t, step('ping: 10.0.0.1, expect: { answered: { min: 1 } }')), [
    /only the answers of a load/,
  ])
})

const load = "load: { name: l, curl: 'http://{web}/' }"

t.test('loads have names, begin and end', async (t) => {
  t.strictSame(refusal(t, step(load) + step('stop: l, expect: { lost: 0, share: app=web }')), [])
  t.match(refusal(t, step('stop: l')), [/no load "l" runs at step 1/])
  t.match(refusal(t, step(load) + step('stop: k')), [/no load "k" runs at step 2; running: l/])
  t.match(refusal(t, step(load) + step(load)), [/a load "l" already runs at step 2/])
  t.match(refusal(t, step(load) + step('ping: 10.0.0.1, expect: { chains: { hit: X } }')), [
    /"chains" in expect of step 2 cannot be checked while l runs/,
  ])
  t.strictSame(
    refusal(t, step(load) + step('stop: l') + step('ping: 10.0.0.1, expect: { chains: { hit: X } }')),
    [],
  )
  t.match(
    refusal(t, step("load: { name: l, nc: { host: '{web}', port: 80, sourcePort: 99 }, parallel: 2 }")),
    [/2 senders cannot share it/],
  )
})
