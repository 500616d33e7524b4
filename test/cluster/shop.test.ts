import { readFileSync } from 'node:fs'
import t from 'tap'
import { buildCluster } from '../../src/cluster/cluster.js'
import { echoPorts } from '../../src/cluster/pods/echoPorts.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { clusterNotices } from '../../src/cluster/manifests/notices.js'
import { topologyView } from '../../src/cluster/view.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { refusals, twoNodes } from './lab.js'

const files = ['shop', 'platform'].map((name) => {
  const path = `test/fixtures/shop/${name}.yaml`
  return { path, text: readFileSync(path, 'utf8') }
})

t.test('manifests of a real application are accepted without changes', (t) => {
  const { objects, notices } = parseManifests(files)
  t.same(notices, ['skipped, no effect on the network: HorizontalPodAutoscaler, Role, ServiceAccount'])
  const cluster = buildCluster(objects, twoNodes)
  t.equal(cluster.deployments.length, 13)
  t.equal(cluster.pods.length, 19)
  t.ok(cluster.pods.every((pod) => pod.status?.phase === 'Running'))
  const onNodeA = cluster.pods.filter((pod) => pod.spec.nodeName === 'node-a').length
  t.ok(onNodeA === 9 || onNodeA === 10, 'spread evenly')
  t.equal(cluster.endpointSlices.length, 13)
  t.ok(cluster.endpointSlices.every((slice) => slice.endpoints.length > 0))
  t.same(
    clusterNotices(cluster).map((notice) => notice.split(':')[0]),
    [
      'PodDisruptionBudget objects are stored, and nothing acts on them',
      'probes of containers that the echo server replaces always pass if they need gRPC, TLS or a program of the image',
      'preferred affinity to pods and topologySpreadConstraints are ignored',
    ],
  )

  const reviews = cluster.pods.find((pod) => pod.metadata.labels?.['app'] === 'reviews')
  t.same(echoPorts(reviews!, cluster), [{ port: 9080, protocol: 'TCP', name: 'http' }])

  const view = topologyView(cluster, [{ name: 'client', addresses: ['172.18.0.100'] }], defaultRanges)
  t.same(view.fabric, ['172.18.0.0/16'])
  t.same(view.nodes[1], { name: 'node-b', addresses: ['172.18.0.3'], podCIDRs: ['10.244.2.0/24'] })
  const storefront = view.services.find((item) => item.name === 'storefront')
  t.match(storefront, {
    type: 'LoadBalancer',
    namespace: 'default',
    clusterIPs: [/^10\.96\.1\./],
    externalIPs: [],
  })
  t.equal(storefront?.endpoints.length, 2)
  t.match(storefront?.endpoints[0], /^10\.244\.1\.\d+:8080$/)
  t.match(storefront?.ports[0], { name: 'http', port: 80, targetPort: 'http', nodePort: 30086 })
  t.end()
})

t.test('the same input gives the same cluster', (t) => {
  const build = () => buildCluster(parseManifests(files).objects, twoNodes)
  t.same(build(), build())
  t.end()
})

t.test('a typing error in them is reported, with the closest name', (t) => {
  const [shop] = files
  const text = shop!.text.replace('imagePullPolicy', 'imagePulPolicy').replace('tolerations:', 'toleration:')
  const prefix =
    'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field'
  t.same(
    refusals(() => parseManifests([{ path: 'shop.yaml', text }])),
    [
      `shop.yaml:57:11: ${prefix} "spec.template.spec.containers[0].imagePulPolicy", unknown field "spec.template.spec.toleration"; did you mean "imagePullPolicy"?; "toleration" is at shop.yaml:43:7, did you mean "tolerations"?`,
    ],
  )
  t.end()
})
