import { join } from 'node:path'
import t, { type Test } from 'tap'
import { causesIn } from '../../../src/diagnose/why/whyRequest.js'
import { question } from '../../../src/diagnose/question.js'
import type { WrittenRequest } from '../../../src/diagnose/writtenRequest.js'
import { readAttachedSnapshot } from '../../../src/inspect/attached.js'
import { deltaDebug } from '../../../src/lab/fromSnapshot/deltaDebug.js'
import { labFiles } from '../../../src/lab/fromSnapshot/labOfSnapshot.js'
import { reduceLab, type Reduced } from '../../../src/lab/fromSnapshot/reduceLab.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { predict } from '../../../src/trace/predict.js'

const bundle = async (name: string) =>
  (await readAttachedSnapshot(join('test/golden/bundles', name, 'bundle'))).snapshot
const asked = (from: string, to: string): WrittenRequest => ({ from, to, protocol: 'tcp' })

/** The codes of the request of a reduced lab, read from its files as a user has them. */
function codesOf(t: Test, { lab }: Reduced) {
  const [file, objects] = labFiles(lab)
  const plan = planSnapshot(
    t.testdir({ 'lab.yaml': file?.text ?? '', manifests: { 'cluster.yaml': objects?.text ?? '' } }),
  )
  const [step] = lab.lab['steps'] as { from: string; curl?: string; nc?: { host: string; port: number } }[]
  const request = asked(step?.from ?? '', step?.curl ?? `${step?.nc?.host}:${step?.nc?.port}`)
  const { snapshot, from, packet } = question(plan, request)
  const found = causesIn(question(plan, request), predict(snapshot.state, from, packet))
  return found.findings.map(({ code }) => code)
}

for (const [name, from, to, code] of [
  [
    'paste-selector',
    'pod/default/web-frontend-6686d6ccd5-f9vgc',
    '10.96.153.225:80',
    'selector-matches-nothing',
  ],
  ['dump-target-port', 'node/worker-1', 'http://{default/blog}/', 'targetport-unserved'],
  ['troubleshoot-etp-local', 'outside', 'http://192.168.50.11:31380/', 'external-policy-local'],
  ['nft-readiness', 'node/w1', '10.96.81.153:80', 'probe-port-unserved'],
] as const)
  t.test(`the smallest lab of ${name}`, async (t) => {
    const reduced = reduceLab(await bundle(name), asked(from, to))
    t.equal(reduced.code, code)
    t.ok(reduced.lab.objects.length <= 2, 'a Service and at most one pod')
    t.strictSame(codesOf(t, reduced), [code])
    const text = labFiles(reduced.lab)
      .map((file) => file.text)
      .join('')
    const { cluster } = (await bundle(name)).model
    for (const { metadata } of [...cluster.nodes, ...cluster.pods, ...cluster.services])
      t.notMatch(text, new RegExp(`\\b${metadata.name}\\b`))
    t.notMatch(text, /\b(10|192)\.\d+\.\d+\.\d+/, 'no address of the cluster')
  })

t.test('one fault among 200 Services', async (t) => {
  const app = (index: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${index}, namespace: team-${index % 7} }
spec:
  replicas: 1
  selector: { matchLabels: { app: app-${index} } }
  template:
    metadata: { labels: { app: app-${index} } }
    spec: { containers: [{ name: web, image: nginx, ports: [{ containerPort: 8080 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: app-${index}, namespace: team-${index % 7} }
spec: { selector: { app: app-${index} }, ports: [{ port: 80, targetPort: ${index === 137 ? 80 : 8080} }] }
`
  const path = t.testdir({
    'lab.yaml': 'title: large',
    manifests: { 'app.yaml': Array.from({ length: 200 }, (_, index) => app(index)).join('---\n') },
  })
  const reduced = reduceLab(planSnapshot(path), asked('node-a', '{app-137}:80'))
  t.equal(reduced.code, 'targetport-unserved')
  t.equal(reduced.before, 402)
  t.ok(reduced.lab.objects.length <= 3)
  t.ok(reduced.predicted < 402, 'fewer predictions than objects')
  t.strictSame(codesOf(t, reduced), ['targetport-unserved'])
})

t.test('what cannot be kept is said', async (t) => {
  t.throws(() => reduceLab(planSnapshot('nodeport'), asked('client', 'http://{node-a}:30080/')), {
    message: /^the request passes, or cannot be followed/,
  })
  const snapshot = await bundle('microk8s-forward-drop')
  const service = snapshot.model.cluster.services.find(({ metadata }) => metadata.name !== 'kubernetes')
  const pod = snapshot.model.cluster.pods.find(({ metadata }) => metadata.namespace === 'default')
  const failing = asked(
    `pod/default/${pod?.metadata.name}`,
    `${service?.spec.clusterIP}:${service?.spec.ports?.[0]?.port}`,
  )
  t.throws(() => reduceLab(snapshot, failing), {
    message: /the cause is what nodes have beside what kube-proxy writes/,
  })
})

t.test('delta debugging ends with a set of which nothing can be left out', async (t) => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  for (const needed of [[], [0], [99], [3, 4], [0, 50, 99], [1, 2, 3, 97, 98]])
    t.strictSame(
      deltaDebug(items, (kept) => needed.every((one) => kept.includes(one))),
      needed,
    )
  // either of two is enough
  t.strictSame(deltaDebug(items, (kept) => kept.includes(10) || kept.includes(90)).length, 1)
})
