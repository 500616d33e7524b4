import t from 'tap'
import { buildCluster } from '../../src/cluster/cluster.js'
import { parseManifests } from '../../src/cluster/manifests.js'
import type { LocatedObject } from '../../src/cluster/manifests.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { deployment, refusals, service, twoNodes } from './lab.js'

/** Objects as reading yields them, without the cost of YAML. */
function located(objects: readonly object[]): LocatedObject[] {
  const at = () => ({ file: 'generated', line: 1, column: 1 })
  return objects.map((object) => ({ object: object as KubeObject, file: 'generated', at }))
}

function shop(deployments: number): LocatedObject[] {
  return located(
    Array.from({ length: deployments }, (_, index) => index).flatMap((index) => {
      const app = `app-${index}`
      const metadata = { name: app, namespace: 'default' }
      const spec = { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] }
      const template = { metadata: { labels: { app, tier: 'web' } }, spec }
      const services = Array.from({ length: 5 }, (_, number) => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: `${app}-${number}`, namespace: 'default' },
        spec: {
          type: 'ClusterIP',
          selector: { tier: 'web', app },
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        },
      }))
      const selector = { matchLabels: { app } }
      return [
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 5, selector, template } },
        ...services,
      ]
    }),
  )
}

function seconds(run: () => unknown): number {
  const start = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - start) / 1e9
}

const nodes = Array.from({ length: 25 }, (_, index) => ({ name: `node-${index}`, labels: {} }))

// A busy machine takes its time.
t.setTimeout(240_000)

t.test('5,000 pods and 5,000 Services: seconds, and in proportion to their number', (t) => {
  const options = { ...twoNodes, nodes }
  const [small, large] = [shop(100), shop(1000)]
  buildCluster(small, options)
  const ten = Math.min(...[1, 2, 3].map(() => seconds(() => buildCluster(small, options))))
  const hundred = seconds(() => {
    const cluster = buildCluster(large, options)
    t.equal(cluster.pods.length, 5000)
    t.equal(cluster.endpointSlices.length, 5000)
    t.equal(new Set(cluster.pods.map((pod) => pod.status?.podIP)).size, 5000)
    t.equal(new Set(cluster.services.map((item) => item.spec.clusterIP)).size, 5000)
    t.equal(new Set(cluster.pods.map((pod) => pod.metadata.name)).size, 5000)
  })
  t.comment(`${ten.toFixed(3)} s for 500 pods, ${hundred.toFixed(3)} s for 5,000`)
  // Ten times the objects would cost a hundred times as much if any step went over all pairs.
  t.ok(hundred < 40 * ten + 1, `${hundred} against ${ten}`)
  t.ok(hundred < 10)
  t.end()
})

t.test('a file of 10 MB', (t) => {
  const parts: string[] = []
  for (let size = 0; size < 10_000_000; size += parts.at(-1)!.length) {
    const name = `app-${parts.length}`
    parts.push(deployment(name, 1) + service(name))
  }
  const text = parts.join('')
  let count = 0
  const spent = seconds(() => (count = parseManifests([{ path: 'big.yaml', text }]).objects.length))
  t.equal(count, parts.length * 2)
  t.comment(`${spent.toFixed(1)} s`)
  t.ok(spent < 60)
  t.end()
})

t.test('large files of something else are refused in reasonable time', (t) => {
  const junk = [
    'x'.repeat(10_000_000),
    'a: b\n'.repeat(200_000),
    '\u0000'.repeat(1_000_000),
    '- '.repeat(100_000),
  ]
  for (const text of junk) {
    const spent = seconds(() =>
      t.ok(refusals(() => parseManifests([{ path: 'junk.yaml', text }])).length > 0),
    )
    t.comment(`${spent.toFixed(1)} s for ${JSON.stringify(text.slice(0, 8))}`)
    t.ok(spent < 60)
  }
  t.end()
})
