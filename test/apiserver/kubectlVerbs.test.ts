import t from 'tap'
import { resources } from '../../src/apiserver/resources.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { applies, deployment, service, twoNodes, written, type Writes } from '../cluster/lab.js'
import { needsKubectl } from './kubectlHome.js'
import { labOfKubectl } from './labOfKubectl.js'

const start = deployment('web', 1) + service('web')
const web = { kind: 'Deployment', name: 'web' }
const svc = { kind: 'Service', name: 'web' }

const pod = `apiVersion: v1
kind: Pod
metadata: { name: bare, labels: { app: bare } }
spec: { containers: [{ name: web, image: nginx, resources: { requests: { cpu: 10m } } }] }
---
`
const job = `apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: web, image: nginx }] } } }
---
`
const added = pod + job + service('api', 'type: NodePort') + deployment('api', 2)
const another = service('api', 'externalIPs: [192.0.2.1]') + deployment('api', 3) + deployment('web', 2)

/** The same write by kubectl, and by vethlab. */
const table: readonly (readonly [string, Writes])[] = [
  ['scale deployment web --replicas=2', { verb: 'scale', ref: web, replicas: 2 }],
  ['label service web a=b', { verb: 'label', ref: svc, values: { a: 'b' } }],
  ['label service web a- c=d --overwrite', { verb: 'label', ref: svc, values: { a: null, c: 'd' } }],
  ['annotate service web note=1', { verb: 'annotate', ref: svc, values: { note: '1' } }],
  [
    'label node node-a rack=1',
    { verb: 'label', ref: { kind: 'Node', name: 'node-a' }, values: { rack: '1' } },
  ],
  ['rollout restart deployment web', { verb: 'restart', ref: web }],
  [
    'patch service web --type=merge -p {"spec":{"type":"NodePort","ports":[{"port":81}]}}',
    { verb: 'patch', ref: svc, patch: { spec: { type: 'NodePort', ports: [{ port: 81 }] } } },
  ],
  ['apply -f added.yaml', applies(added)],
  ['apply -f another.yaml', applies(another)],
  ['apply -f added.yaml', applies(added)],
]

void t.test('a verb of vethlab writes what that of kubectl writes', needsKubectl, async (t) => {
  const [theirs, ours] = await Promise.all([labOfKubectl(t, start), labOfKubectl(t, start)])
  const objects = ({ lab }: typeof ours) =>
    resources
      .filter(({ kind }) => ['Deployment', 'Service', 'Pod', 'Job', 'Node'].includes(kind))
      .flatMap((resource) => lab.store.list(resource))
      .filter(({ metadata }) => (metadata.ownerReferences ?? []).length === 0)
      .map(writtenPart)
  const folder = t.testdir({ 'added.yaml': added, 'another.yaml': another })
  for (const [line, writes] of table) {
    const printed = await theirs.run(line.replace('-f ', `-f ${folder}/`))
    let said: readonly string[] = []
    await ours.lab.edit((cluster) => {
      const made = written(cluster, writes, { ...twoNodes, now: new Date().toISOString() })
      said = made.said
      return made.cluster
    })
    // kubectl prints warnings on standard error
    const lines = said.filter((text) => !text.startsWith('Warning: '))
    t.same(lines, printed.trimEnd().split('\n'), line)
    t.strictSame(objects(ours), objects(theirs), line)
  }
})

/** The metadata of an object without times, and its spec without those and without addresses. */
function writtenPart({ kind, metadata, spec }: KubeObject & { readonly spec?: unknown }): unknown {
  const { name, labels, annotations, managedFields, generation } = metadata
  const changing = ['time', 'kubectl.kubernetes.io/restartedAt']
  return JSON.parse(
    JSON.stringify(
      { kind, name, labels, annotations, managedFields, generation, spec },
      (key, value: unknown) => (changing.includes(key) ? '*' : value),
    ),
  ) as unknown
}
