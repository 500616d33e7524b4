import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { isRecord, records } from '../../src/cluster/manifests/loose.js'
import { goDump } from '../../src/cluster/templateHash/goDump.js'
import { revisionHash, templateHash } from '../../src/cluster/templateHash/templateHash.js'
import type { Container, Pod, PodTemplate, StatefulSet } from '../../src/cluster/types.js'

const hashKeys = ['pod-template-hash', 'controller-revision-hash']

t.test('the hashes of every recorded pod and ReplicaSet are those of the real controllers', (t) => {
  const recorded = new Map(recordedObjects().map((one) => [`${one.kind} ${one.hash}`, one]))
  t.ok(new Set([...recorded.values()].map(({ hash }) => hash)).size >= 10, 'Deployments and DaemonSets')
  for (const [name, { template, hash }] of recorded) t.equal(templateHash(template), hash, name)
  t.end()
})

t.test('quantities are dumped as the parsed amount, with their text where Go keeps it', (t) => {
  const amount = (value: string) =>
    goDump('Quantity', value).replaceAll(/\((resource|inf|big)\.\w+\)|\(\w+\)/g, '')
  const dumped: readonly (readonly [string, string])[] = [
    ['0', '{i:{value:0 scale:0} d:{Dec:(*inf.Dec)<nil>} s:0 Format:DecimalSI}'],
    ['100m', '{i:{value:100 scale:-3} d:{Dec:(*inf.Dec)<nil>} s:100m Format:DecimalSI}'],
    ['0.5', '{i:{value:500 scale:-3} d:{Dec:(*inf.Dec)<nil>} s:500m Format:DecimalSI}'],
    ['2e3', '{i:{value:2 scale:3} d:{Dec:(*inf.Dec)<nil>} s:2e3 Format:DecimalExponent}'],
    ['64Mi', '{i:{value:67108864 scale:0} d:{Dec:(*inf.Dec)<nil>} s: Format:BinarySI}'],
    ['3Gi', '{i:{value:3221225472 scale:0} d:{Dec:(*inf.Dec)<nil>} s:3Gi Format:BinarySI}'],
  ]
  for (const [text, expected] of dumped) t.equal(amount(text), expected, text)
  t.match(
    goDump('Quantity', '1Pi'),
    'unscaled:(big.Int){neg:(bool)false abs:(big.nat)',
    'too large for the fast path',
  )
  t.end()
})

t.test('ports are numbers or names, and what is not set has the zero value of Go', (t) => {
  t.equal(
    goDump('TCPSocketAction', { port: 80 }),
    '(v1.TCPSocketAction){Port:(intstr.IntOrString){Type:(intstr.Type)0 IntVal:(int32)80 StrVal:(string)} Host:(string)}',
  )
  t.match(goDump('IntOrString', 'http'), '{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)http}')
  t.equal(goDump('*LocalObjectReference', undefined), '(*v1.LocalObjectReference)<nil>')
  t.match(
    goDump('SecretProjection', { name: 'x' }),
    '(v1.SecretProjection){LocalObjectReference:(v1.LocalObjectReference){Name:(string)x} Items:',
  )
  t.equal(goDump('map[string]string', { b: '1', a: '2' }), '(map[string]string)map[a:2 b:1]')
  t.equal(goDump('[]string', []), '([]string)<nil>')
  t.end()
})

t.test('the revision of a StatefulSet is another hash, of the JSON of its template', (t) => {
  const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [] } }
  const set = (of: PodTemplate): StatefulSet => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'lab' },
    spec: { selector: { matchLabels: { app: 'db' } }, template: of },
  })
  t.not(revisionHash(set(template)), templateHash(template))
  const reordered = { spec: { containers: [] }, metadata: { labels: { app: 'db' } } }
  t.equal(revisionHash(set(reordered)), revisionHash(set(template)))
  t.end()
})

interface Recorded {
  readonly kind: string
  readonly hash: string
  readonly template: PodTemplate
}

/** Pods and ReplicaSets of recorded bundles, whose labels hold the hash of their template. */
function recordedObjects(): Recorded[] {
  const folder = 'test/golden/bundles'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(pods|replicasets|deployments).*\.(json|yaml)$/.test(file),
  )
  return files
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document): unknown => document.toJS())
    .flatMap((value) => (isRecord(value) ? records(value['items']) : []))
    .flatMap((object) => {
      const found = recordedHash(object as unknown as Pod)
      return found === undefined ? [] : [found]
    })
}

function recordedHash({ kind, metadata, spec }: Pod): Recorded | undefined {
  const hash = hashKeys.map((key) => metadata.labels?.[key]).find((one) => one !== undefined)
  if (hash === undefined) return undefined
  const template = (spec as unknown as { template?: PodTemplate }).template
  const { metadata: written, spec: pod } = template ?? { metadata, spec }
  const labels = Object.fromEntries(
    Object.entries(written?.labels ?? {}).filter(
      ([key]) => ![...hashKeys, 'pod-template-generation'].includes(key),
    ),
  )
  const isDaemon = metadata.labels?.['controller-revision-hash'] !== undefined
  return {
    kind: kind ?? 'ReplicaSet',
    hash,
    template: { metadata: { labels }, spec: withoutAdded(pod, isDaemon) },
  }
}

/** The spec of a template: a pod without what admission, its controller and the scheduler added. */
function withoutAdded(pod: Pod['spec'], isDaemon: boolean): Pod['spec'] {
  const isAdded = ({ name }: { name?: unknown }) => String(name).startsWith('kube-api-access-')
  const added = [
    'enableServiceLinks',
    'priority',
    'preemptionPolicy',
    'nodeName',
    ...(isDaemon ? ['affinity'] : []),
  ]
  const kept = Object.fromEntries(Object.entries(pod).filter(([key]) => !added.includes(key)))
  return {
    ...kept,
    tolerations: records(pod['tolerations']).filter(
      ({ key }) => !String(key).startsWith('node.kubernetes.io/'),
    ),
    volumes: records(pod['volumes']).filter((one) => !isAdded(one)),
    containers: pod.containers.map((one): Container => ({
      ...one,
      volumeMounts: records(one['volumeMounts']).filter((mount) => !isAdded(mount)),
    })),
  }
}
