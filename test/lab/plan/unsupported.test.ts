import t from 'tap'
import type { Service, ServiceSpec } from '../../../src/cluster/types.js'
import { whyUnsupported } from '../../../src/lab/plan/proxyMode.js'
import { modeOf } from '../../../src/agents/kubeProxy/modes.js'

const service = (spec: ServiceSpec, annotations: Record<string, string> = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', annotations },
  spec: { clusterIP: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP' }], ...spec },
})

t.test('what mode userspace never heard of is named', (t) => {
  const table: readonly [Service, RegExp | undefined][] = [
    [service({}), undefined],
    [service({ externalTrafficPolicy: 'Cluster', sessionAffinity: 'ClientIP' }), undefined],
    [service({ externalTrafficPolicy: 'Local' }), /^Service default\/web has externalTrafficPolicy: Local, /],
    [service({ internalTrafficPolicy: 'Local' }), /internalTrafficPolicy: Local/],
    [service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }), /loadBalancerSourceRanges/],
    [service({ trafficDistribution: 'PreferClose' }), /trafficDistribution/],
    [service({}, { 'service.kubernetes.io/topology-mode': 'Auto' }), /topology-mode/],
    [service({ ports: [{ port: 7, protocol: 'SCTP' }] }), /SCTP/],
    [service({ clusterIP: 'None', internalTrafficPolicy: 'Local' }), undefined],
  ]
  for (const [one, reason] of table) {
    const unsupported = whyUnsupported(modeOf('userspace'), { services: [one] })
    t.equal(whyUnsupported(modeOf('nftables'), { services: [one] }), undefined)
    if (reason === undefined) t.equal(unsupported, undefined)
    else t.match(unsupported, reason)
  }
  t.end()
})
