import t from 'tap'
import type { Ingress } from '../../../src/cluster/types.js'
import { warning } from '../../../src/ingress/objects/finding.js'
import { createIngressEvents, unsupportedFindings } from '../../../src/lab/ingress/ingressEvents.js'

const web: Ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {},
}

t.test('an Event stays as long as its finding, with the time of its first finding', async (t) => {
  const events = createIngressEvents('ingress-nginx-controller')
  const broken = warning(web, 'CertificateNotFound', 'there is no Secret shop/tls')
  events.record([broken], { now: '2026-01-01T10:00:00.123Z' })
  events.record([broken, warning(web, 'BackendNotFound', 'there is no Service shop/a')], {
    now: '2026-01-01T10:00:05Z',
  })
  const recorded = events.all()
  t.match(recorded, [
    {
      kind: 'Event',
      metadata: { name: /^web\.[0-9a-f]{16}$/, namespace: 'shop' },
      involvedObject: { kind: 'Ingress', namespace: 'shop', name: 'web' },
      ...{ type: 'Warning', reason: 'CertificateNotFound', message: 'there is no Secret shop/tls' },
      source: { component: 'ingress-nginx-controller' },
      firstTimestamp: '2026-01-01T10:00:00Z',
    },
    { reason: 'BackendNotFound', firstTimestamp: '2026-01-01T10:00:05Z' },
  ])
  t.not(recorded[0]?.metadata.name, recorded[1]?.metadata.name)
  events.record([], {})
  t.same(events.all(), [])
})

t.test('a setting that a proxy does not support is an Event of its Ingress', async (t) => {
  const unsupported = [
    { route: 'Ingress/shop/web/0', what: 'no mirrors' },
    { route: 'Ingress/shop/gone/0', what: 'no mirrors' },
    { route: 'HTTPRoute/shop/web/0', what: 'no mirrors' },
  ]
  t.match(unsupportedFindings(unsupported, 'haproxy', { ingresses: [web] }), [
    { object: web, reason: 'NotSupported', message: 'haproxy: no mirrors' },
  ])
  t.equal(unsupportedFindings(unsupported, 'haproxy', { ingresses: [web] }).length, 1)
})
