import type { ServiceSpec } from '../../../../../src/cluster/types.js'
import { endpoint, input, service, slice } from '../../objects.js'
import { loadBalancer, nodeIP, outside, pod, scenario, type Row, type Scenario } from './scenario.js'

/** A: a LoadBalancer without endpoints. */
export function noEndpoints(): Scenario {
  const rows: Row[] = [
    ['A1', pod, 'tcp', '172.30.0.41:80', 'REJECT', false],
    ['A2', outside, 'tcp', '192.168.99.11:80', 'REJECT', false],
    ['A3', pod, 'tcp', `${nodeIP}:3001`, 'REJECT', false],
    ['A4', outside, 'tcp', `${nodeIP}:3001`, 'REJECT', false],
    ['A5', pod, 'tcp', '1.2.3.4:80', 'REJECT', false],
    ['A6', outside, 'tcp', '1.2.3.4:80', 'REJECT', false],
  ]
  return scenario(
    'A: a LoadBalancer without endpoints',
    rows,
    input([service('svc1', { ...loadBalancer, externalIPs: ['192.168.99.11'] }, ['1.2.3.4'])], []),
  )
}

/** B: ClusterIP. */
export function clusterIP(): Scenario {
  const svc2: ServiceSpec = {
    clusterIP: '172.30.0.42',
    ports: [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'https', port: 443, protocol: 'TCP', targetPort: 8443 },
      { name: 'dns-udp', port: 53, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 5353 },
      { name: 'dns-sctp', port: 53, protocol: 'SCTP' },
    ],
  }
  const both = [endpoint('10.180.0.1', 'remote'), endpoint('10.180.2.1', 'remote')]
  const rows: Row[] = [
    ['B1', '10.180.0.2', 'tcp', '172.30.0.41:80', '10.180.0.1:80', false],
    ['B2', '10.180.0.1', 'tcp', '172.30.0.41:80', '10.180.0.1:80', true],
    ['B3', '10.180.0.2', 'tcp', '172.30.0.42:80', '10.180.0.1:80, 10.180.2.1:80', false],
    ['B4', '10.180.0.2', 'tcp', '172.30.0.42:443', '10.180.0.1:8443, 10.180.2.1:8443', false],
    ['B5', '10.180.0.2', 'tcp', '172.30.0.42:53', '10.180.0.1:5353, 10.180.2.1:5353', false],
    ['B6', '10.180.0.2', 'udp', '172.30.0.42:53', '10.180.0.1:53, 10.180.2.1:53', false],
    ['B7', '10.180.0.2', 'sctp', '172.30.0.42:53', '10.180.0.1:53, 10.180.2.1:53', false],
    ['B8', '10.180.0.2', 'udp', '172.30.0.42:80', '', false],
    ['B9', '10.180.0.2', 'tcp', '172.30.0.41:443', '', false],
  ]
  const slices = [
    slice('svc1', [endpoint('10.180.0.1', 'remote')]),
    slice('svc2', both, [
      ['http', 80],
      ['https', 8443],
      ['dns-udp', 53, 'UDP'],
      ['dns-tcp', 5353],
      ['dns-sctp', 53, 'SCTP'],
    ]),
  ]
  return scenario(
    'B: ClusterIP',
    rows,
    input([service('svc1', { clusterIP: '172.30.0.41' }), service('svc2', svc2)], slices),
  )
}

/** C: loadBalancerSourceRanges. */
export function sourceRanges(): Scenario {
  const ranges = { ...loadBalancer, loadBalancerSourceRanges: [' 192.168.0.0/24', '203.0.113.0/25'] }
  const only = '10.180.0.1:80'
  const rows: Row[] = [
    ['C1', pod, 'tcp', '172.30.0.41:80', only, false],
    ['C2', outside, 'tcp', `${nodeIP}:3001`, only, true],
    ['C3', '203.0.113.130', 'tcp', `${nodeIP}:3001`, only, true],
    ['C4', outside, 'tcp', '1.2.3.4:80', only, true],
    ['C5', outside, 'tcp', '5.6.7.8:80', only, true],
    ['C6', '203.0.113.130', 'tcp', '1.2.3.4:80', 'DROP', false],
    ['C7', '203.0.113.130', 'tcp', '5.6.7.8:80', 'DROP', false],
    ['C8', pod, 'tcp', '1.2.3.4:80', 'DROP', false],
    ['C9', pod, 'tcp', '5.6.7.8:80', 'DROP', false],
    ['C10', nodeIP, 'tcp', '1.2.3.4:80', only, true],
    ['C11', nodeIP, 'tcp', '5.6.7.8:80', only, true],
    ['C12', '1.2.3.4', 'tcp', '1.2.3.4:80', only, true],
    ['C13', '5.6.7.8', 'tcp', '5.6.7.8:80', only, true],
  ]
  const services = [service('svc1', ranges, ['1.2.3.4', '5.6.7.8'])]
  return scenario(
    'C: loadBalancerSourceRanges',
    rows,
    input(services, [slice('svc1', [endpoint('10.180.0.1', 'remote')])]),
  )
}

/** H: the health check node port, with its Service and after it is gone. */
export function healthCheckNodePort(): readonly Scenario[] {
  const spec: ServiceSpec = { ...loadBalancer, externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 }
  const config = { nodePortAddresses: ['127.0.0.0/8'] }
  const row = (result: string): Row => ['H', '1.2.3.4', 'tcp', `${nodeIP}:30000`, result, false]
  const made = [
    scenario(
      'H: the health check node port of a Service',
      [row('ACCEPT')],
      input([service('svc1', spec)], [], config),
    ),
    scenario('H: the health check node port after the Service is gone', [row('')], input([], [], config)),
  ]
  return made.map((one) => ({ ...one, inputPolicy: 'DROP' }))
}
