import t from 'tap'
import { refusals } from '../../cluster/lab.js'
import { webAndCaller, whyIn } from './whyIn.js'

const manifests = `${webAndCaller()}apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: v1
kind: Service
metadata: { name: own }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Service
metadata: { name: far, namespace: shop }
spec: { ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Service
metadata: { name: outside }
spec: { type: ExternalName, externalName: example.org }
---
apiVersion: v1
kind: Service
metadata: { name: inside }
spec: { type: ExternalName, externalName: own.default.svc.cluster.local }
---
apiVersion: v1
kind: Service
metadata: { name: headless }
spec: { clusterIP: None, selector: { app: nothing }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: few }
spec:
  nodeName: node-a
  containers: [{ name: c, image: x }]
  dnsConfig: { options: [{ name: ndots, value: '1' }] }
`

const lab = 'title: x\ndns: true'

t.test('names are looked up as the pod does: search list, ndots, aliases', async (t) => {
  for (const name of ['own', 'own.default', 'own.default.svc', 'own.default.svc.cluster.local.', 'inside'])
    t.match(
      whyIn(t, { lab, manifests, to: `http://${name}/` }).answered,
      [{ receiver: { name: 'pod default/web' } }],
      name,
    )
  t.equal(whyIn(t, { lab, manifests, to: 'own:80' }).outcome, 'passes', 'not only in URLs')
  t.equal(whyIn(t, { lab, manifests, to: 'http://far.shop/' }).outcome, 'fails', 'it has no endpoint')
})

t.test('why a name has no address', async (t) => {
  const problem = (to: string, from = 'caller', given = lab) =>
    refusals(() => whyIn(t, { lab: given, manifests, from, to }))
  t.match(problem('http://far/'), [
    /looks up far\.default\.svc\.cluster\.local, far\.svc\.cluster\.local, far\.cluster\.local, far; a Service in another namespace has the name far\.shop$/,
  ])
  t.match(problem('http://own.x/', 'few'), [/looks up own\.x, own\.x\.default\.svc/], 'ndots: 1')
  t.match(problem('http://outside/'), [/an ExternalName: DNS answers with the name example\.org/])
  t.match(problem('http://headless/'), [
    /a headless Service without a ready endpoint: DNS has no address for it/,
  ])
  t.match(problem('http://own/', 'node-a'), [/node-a does not use the DNS of the cluster/])
  const agent = `---
apiVersion: v1
kind: Pod
metadata: { name: agent }
spec: { nodeName: node-a, hostNetwork: true, containers: [{ name: c, image: x, command: [sleep, '9'] }] }
`
  t.match(
    refusals(() => whyIn(t, { lab, manifests: manifests + agent, from: 'agent', to: 'http://own/' })),
    [
      /agent does not use the DNS of the cluster \(dnsPolicy\).*set spec\.dnsPolicy to ClusterFirstWithHostNet/s,
    ],
    'the DNS of its node',
  )
  t.match(problem('http://own/', 'caller', 'title: x'), [
    /"own" is 10\.96\.\S+ in the DNS of a cluster, and this lab has no DNS server/,
  ])
})
