import t from 'tap'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import type { Ingress } from '../../../src/cluster/types.js'
import { ingressClassName } from '../../../src/cluster/ingressClass.js'
import { ingressesOf } from '../../../src/ingress/rules/classes.js'
import {
  gatewayAddresses,
  ingressAddresses,
  withAddresses,
} from '../../../src/ingress/rules/ingressStatus.js'
import { twoNodes, written, applies } from '../../cluster/lab.js'
import { clusterWith, ingress, to80 } from './objects.js'

const ours = 'k8s.io/ingress-nginx'
const rest = { defaultBackend: to80('a') }
const none = { ingressClassName: undefined, ...rest }
const external = `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: external-lb
  annotations: { ingressclass.kubernetes.io/is-default-class: "true" }
spec:
  controller: example.com/ingress-controller
  parameters: { apiGroup: k8s.example.com, kind: IngressParameters, name: external-lb }
`
const classNames = (ingresses: readonly Ingress[] | undefined) =>
  Object.fromEntries(ingresses?.map(({ metadata, spec }) => [metadata.name, spec.ingressClassName]) ?? [])

t.test('a controller serves the Ingresses of its classes, by field or annotation', (t) => {
  const cluster = clusterWith(
    external,
    ingress('field', rest),
    ingress('annotation', none, { annotations: { 'kubernetes.io/ingress.class': 'nginx' } }),
    ingress('other', { ...rest, ingressClassName: 'external-lb' }),
    ingress('missing', { ...rest, ingressClassName: 'traefik' }),
  )
  const served = ingressesOf(cluster, ours).map(({ metadata }) => metadata.name)
  t.same(served, ['field', 'annotation'])
  t.end()
})

t.test('a new Ingress is given the default class, and keeps it', (t) => {
  const before = clusterWith(external, ingress('early', none))
  t.same(classNames(before.ingresses), { early: 'external-lb' })
  const change = (text: string, cluster = before) =>
    written(cluster, applies(text), { ...twoNodes, now: '2026-01-01T00:00:00Z' }).cluster
  const both = change(ingress('late', none))
  t.same(classNames(both.ingresses), { early: 'external-lb', late: 'external-lb' })
  t.same(classNames(change(ingress('late', { ...none, tls: [{}] }), both).ingresses), {
    early: 'external-lb',
    late: 'external-lb',
  })
  const plain = clusterWith(ingress('early', none))
  t.same(classNames(plain.ingresses), { early: undefined }, 'without a default class it has none')
  const [early] = plain.ingresses ?? []
  t.equal(early && ingressClassName(early), undefined)
  t.end()
})

t.test('an IngressClass is validated as in the API server', (t) => {
  const read = (spec: string) =>
    parseManifests([
      {
        path: 'a.yaml',
        text: `apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: { name: x }\nspec: ${spec}\n`,
      },
    ])
  t.throws(() => read('{ controller: nginx }'), /spec.controller: Invalid value: "nginx"/)
  t.throws(() => read('{}'), /spec.controller: Required value/)
  const parameters = (more: string) => `{ controller: a.b/c, parameters: { kind: A, name: b${more} } }`
  t.throws(() => read(parameters(', namespace: other')), /parameters.namespace: Forbidden/)
  t.throws(() => read(parameters(', scope: Namespace')), /parameters.namespace: Required value/)
  t.throws(() => read(parameters(', scope: Node')), /parameters.scope: Unsupported value: "Node"/)
  t.match(read(parameters('')).objects[0]?.object, { spec: { parameters: { scope: 'Cluster' } } })
  t.end()
})

t.test('the addresses in a status are those of the Service in front', (t) => {
  const service = (spec: object, status = {}) =>
    ingressAddresses({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec, status })
  const given = { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] } }
  t.same(service({ type: 'LoadBalancer' }, given), [{ ip: '192.0.2.1' }])
  t.same(service({ type: 'LoadBalancer' }), [], 'a Service without an external address has none')
  t.same(service({ type: 'NodePort', clusterIP: '10.96.0.9' }), [{ ip: '10.96.0.9' }])
  t.same(service({ clusterIP: '10.96.0.9', externalIPs: ['203.0.113.1'] }), [{ ip: '203.0.113.1' }])
  const nodes = ['172.18.0.2', 'fd00:18::2'].map((address) => ({
    ...{ apiVersion: 'v1', kind: 'Node' as const, metadata: { name: 'node-a' }, spec: {} },
    status: { addresses: [{ type: 'InternalIP' as const, address }] },
  }))
  const ofGateway = (spec: object) =>
    gatewayAddresses({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec }, nodes)
  const nodePort = { type: 'NodePort', clusterIP: '10.96.0.9', ipFamilies: ['IPv4'] }
  t.same(ofGateway(nodePort), [{ ip: '172.18.0.2' }], 'a Gateway on node ports has the addresses of nodes')
  t.same(ofGateway({ ...nodePort, externalIPs: ['203.0.113.1'] }), [{ ip: '203.0.113.1' }])
  t.same(ofGateway({ clusterIP: '10.96.0.9' }), [{ ip: '10.96.0.9' }])
  const [one] = clusterWith(ingress('x', rest)).ingresses ?? []
  const updated = one && withAddresses(one, [{ ip: '192.0.2.1' }])
  t.match(updated, { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } })
  t.equal(
    updated && withAddresses(updated, [{ ip: '192.0.2.1' }]),
    updated,
    'without a change it is the same object',
  )
  t.same(updated && withAddresses(updated, []).status, { loadBalancer: {} })
  t.end()
})
