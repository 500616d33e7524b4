import t from 'tap'
import { maxEndpoints, maxPodsPerNode, maxServicePorts } from '../../src/cluster/limits.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { maxObjects, tooManyObjects } from '../../src/cluster/manifests/manifestSize.js'
import { cluster, deployment, refusals, service, twoNodes, written, applies, type Writes } from './lab.js'

const fits = 2 * maxPodsPerNode
const web = { kind: 'Deployment', namespace: 'default', name: 'web' }

function statefulSet(replicas: number): string {
  return deployment('web', replicas).replace('kind: Deployment', 'kind: StatefulSet')
}

function daemonSets(count: number): string {
  return Array.from({ length: count }, (_, index) =>
    deployment(`agent-${index}`, 1).replace('kind: Deployment', 'kind: DaemonSet').replace('replicas: 1', ''),
  ).join('')
}

/** The change is rejected, and the cluster is not changed. */
function refusedChange(change: Writes): string[] {
  const before = { ...cluster(deployment('web', 2)), now: '2026-01-01T00:00:00Z' }
  return refusals(() => written(before, change, { ...twoNodes, now: '2026-01-01T00:00:01Z' }))
}

t.test('as many pods as the nodes have addresses', (t) => {
  t.equal(cluster(deployment('web', fits)).pods.length, fits)
  t.end()
})

// an implementation that expands them first would run out of memory, or of the test's time
for (const replicas of [fits + 1, 100_000, 2_000_000_000]) {
  t.test(`${replicas} replicas are rejected before any pod is created`, (t) => {
    const detail = `spec.replicas: Invalid value: ${replicas}: must be at most ${fits}`
    for (const [kind, text] of [
      ['Deployment', deployment('web', replicas)],
      ['StatefulSet', statefulSet(replicas)],
    ] as const) {
      const [line = ''] = refusals(() => cluster(text))
      t.match(line, `a.yaml:5:13: The ${kind} "web" is invalid: ${detail}`)
      t.match(line, '2 nodes, with at most 253 pods each')
    }
    t.match(refusedChange({ verb: 'scale', ref: web, replicas })[0], detail)
    const { objects } = parseManifests([{ path: 'a.yaml', text: deployment('web', replicas) }])
    t.match(refusedChange(applies(objects))[0], detail)
    t.end()
  })
}

t.test('the sum of all workloads counts', (t) => {
  const [line = ''] = refusals(() => cluster(deployment('one', fits - 1) + deployment('two', 2)))
  t.match(line, `with Deployment "two" the objects need ${fits + 1} pods; the nodes have room for ${fits}`)
  t.match(line, 'a.yaml:16:13')
  t.match(refusals(() => cluster(daemonSets(maxPodsPerNode + 1)))[0], 'the nodes have room for')
  t.end()
})

t.test('Services: their ports, and their endpoints', (t) => {
  const ports = (count: number) =>
    Array.from({ length: count }, (_, index) => `{ name: p${index}, port: ${index + 1} }`).join(', ')
  const wide = (name: string, count: number) =>
    service(name).replace('[{ port: 80 }]', () => `[${ports(count)}]`)
  const [line = ''] = refusals(() => cluster(wide('web', maxServicePorts + 1)))
  t.match(line, `the Services have ${maxServicePorts + 1} ports`)
  t.match(line, /^a\.yaml:4:\d+: /)
  const most = Math.ceil(maxEndpoints / fits) + 1
  t.match(
    refusals(() => cluster(deployment('web', fits) + wide('web', most)))[0],
    `more than ${maxEndpoints} endpoints`,
  )
  t.end()
})

t.test('objects are counted before any of them is validated', (t) => {
  const wrong = 'apiVersion: v1\nkind: Service\nmetadata: { name: WRONG }'
  const count = maxObjects + 1
  const documents = Array.from({ length: count }, () => wrong).join('\n---\n')
  const list = `apiVersion: v1\nkind: List\nitems: [${'{ apiVersion: v1, kind: Service },'.repeat(count)}]\n`
  const read = (...texts: string[]) =>
    refusals(() => parseManifests(texts.map((text, index) => ({ path: `${index}.yaml`, text }))))
  t.strictSame(read(documents), [`0.yaml:1:1: ${tooManyObjects}`])
  t.strictSame(read(list), [`0.yaml:3:1: ${tooManyObjects}`])
  const half = Array.from({ length: maxObjects / 2 }, () => '---').join('\n')
  t.strictSame(read(half, half, `---\n${wrong}`), [`2.yaml:1:1: ${tooManyObjects}`], 'of all files together')
  t.end()
})
