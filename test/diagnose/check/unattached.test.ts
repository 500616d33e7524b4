import t from 'tap'
import { check } from '../../../src/diagnose/check/check.js'
import { checkText } from '../../../src/diagnose/check/checkText.js'
import { verdictOf } from '../../../src/diagnose/check/types.js'
import { createColours } from '../../../src/text/colour.js'
import { question } from '../../../src/diagnose/question.js'
import { snapshotOfNode } from '../../../src/inspect/attached.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'
import { predict } from '../../../src/trace/predict.js'
import { checked, node, pod, save, service, slice } from './pasted.js'

// What is not attached is unknown: no answer says that it does not exist.

const nodes = [node('n1', '172.18.0.11', '10.244.1.0/24'), node('n2', '172.18.0.12', '10.244.2.0/24')]
const web = service('web', '10.96.0.20', 30080)

function attached(texts: Readonly<Record<string, string>>) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }))
  return snapshotOfNode(readBundle('case', files), {})
}

function ends(texts: Readonly<Record<string, string>>, from: string, to: string) {
  const { snapshot, from: caller, packet } = question(attached(texts), { from, to, protocol: 'tcp' })
  return predict(snapshot.state, caller, packet).paths.map(({ end }) => [end.kind, end.reason])
}

t.test('Services without endpoints: whether their requests are rejected is not known', async (t) => {
  const texts = { 'objects.yaml': [...nodes, web].join('---\n') }
  const unknown = [['untraceable', 'the endpoints of Service default/web are not attached']]
  t.strictSame(ends(texts, 'node/n1', '10.96.0.20:80'), unknown)
  t.strictSame(ends(texts, 'client/outside', '172.18.0.11:30080'), unknown)
  t.strictSame(check(attached(texts)).findings, [])
})

t.test('pods of other namespaces say nothing about the endpoints of a Service', async (t) => {
  const other = pod('other', 'n1', '10.244.1.5').replace('namespace: default', 'namespace: other')
  const texts = { 'objects.yaml': [...nodes, other, web].join('---\n') }
  t.strictSame(check(attached(texts)).findings, [])
  t.match(ends(texts, 'node/n1', '10.96.0.20:80'), [['untraceable', /endpoints .* not attached/]])
})

t.test('a Service alone', async (t) => {
  const { findings, notices } = check(attached({ 'objects.yaml': web }))
  t.strictSame(findings, [])
  t.notMatch(notices.join(), /of 0 nodes/)
})

t.test('Endpoints that are not ready, without pods', async (t) => {
  const unready = slice('web', [['web-1', '10.244.1.7', 'n1']]).replace('ready: true', 'ready: false')
  const snapshot = attached({ 'objects.yaml': [...nodes, web, unready].join('---\n') })
  const [cause] = check(snapshot).findings
  t.match(cause, {
    code: 'no-ready-endpoint',
    says: /no ready endpoint: 10\.244\.1\.7 are not ready; pods .* are not attached/,
  })
})

t.test('a node of which no pod and no route is attached lacks no route', async (t) => {
  const all = [
    ...nodes,
    pod('web-1', 'n1', '10.244.1.7', ['app: web', 8080]),
    pod('caller', 'n1', '10.244.1.9'),
  ]
  const one = [...all, web, slice('web', [['web-1', '10.244.1.7', 'n1']])]
  t.strictSame(checked({ 'objects.yaml': one.join('---\n') }).findings, [])
})

t.test('rules that nothing names are those of a node of the objects', async (t) => {
  const pods = [
    pod('web-1', 'n1', '10.244.1.7', ['app: web', 8080]),
    pod('web-2', 'n2', '10.244.2.7', ['app: web', 8080]),
  ]
  const objects = [...nodes, ...pods, web].join('---\n')
  const snapshot = attached({
    'save.txt': save(['10.244.1.7:8080', '10.244.2.7:8080']),
    'objects.yaml': objects,
  })
  t.strictSame([...(snapshot.rulesRead ?? [])], ['n1'])
  t.strictSame(
    snapshot.model.topology.nodes.map(({ name }) => name),
    ['n1', 'n2'],
    'no node is added for them',
  )
  t.match(snapshot.notices.join('\n'), /nothing names the node of the rules: they are taken for those of n1/)
})

t.test('pods without Services decide nothing about Services', async (t) => {
  const pods = [pod('web-1', 'n1', '10.244.1.7'), pod('web-2', 'n2', '10.244.2.7')]
  const result = check(attached({ 'objects.yaml': [...nodes, ...pods].join('---\n') }))
  t.equal(verdictOf(result), 'undecided')
  t.match(
    checkText(result, { colours: createColours(false), language: 'en', width: 100 }),
    /^nothing is decided about Services/,
  )
  const ready = slice('web', [['web-1', '10.244.1.7', 'n1']])
  const whole = attached({ 'objects.yaml': [...nodes, ...pods, web, ready].join('---\n') })
  t.equal(verdictOf(check(whole)), 'healthy')
})
