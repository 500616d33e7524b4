import t from 'tap'
import { buildCluster } from '../../src/cluster/cluster.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { deployment, refusals, service, twoNodes } from './lab.js'
import { runs } from '../suite.js'
import { manyNodes, manyObjects } from './manyObjects.js'

// `npm run bench -- objects` measures the duration
t.test('2,000 pods and 2,000 Services have unique names and addresses', async (t) => {
  const cluster = buildCluster(manyObjects(400), { ...twoNodes, nodes: manyNodes(25) })
  t.equal(cluster.pods.length, 2000)
  t.equal(cluster.endpointSlices.length, 2000)
  t.equal(new Set(cluster.pods.map((pod) => pod.status?.podIP)).size, 2000)
  t.equal(new Set(cluster.services.map((item) => item.spec.clusterIP)).size, 2000)
  t.equal(new Set(cluster.pods.map((pod) => pod.metadata.name)).size, 2000)
})

t.test('a file of 1 MB', async (t) => {
  const parts: string[] = []
  for (let size = 0; size < 1_000_000; size += parts.at(-1)!.length) {
    const name = `app-${parts.length}`
    parts.push(deployment(name, 1) + service(name))
  }
  t.equal(parseManifests([{ path: 'big.yaml', text: parts.join('') }]).objects.length, parts.length * 2)
})

t.test('large files of other content are rejected', async (t) => {
  const junk = [
    'x'.repeat(10_000_000),
    'a: b\n'.repeat(runs(200_000, 20_000)),
    '\u0000'.repeat(1_000_000),
    '- '.repeat(runs(100_000, 20_000)),
  ]
  for (const text of junk)
    t.ok(
      refusals(() => parseManifests([{ path: 'junk.yaml', text }])).length > 0,
      JSON.stringify(text.slice(0, 8)),
    )
})
