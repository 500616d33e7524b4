import t from 'tap'
import { describeObject } from '../../../src/apiserver/describe/describeObject.js'
import type { EndpointSlice, Service } from '../../../src/cluster/types.js'
import { service, slice, web } from '../objects.js'

function described(one: Service, ...slices: EndpointSlice[]): string[] {
  return describeObject(one, slices, [], new Date()).split('\n')
}

/** The line of its endpoints. */
function endpoints(one: Service, ...slices: EndpointSlice[]): string[] {
  return described(one, ...slices).filter((line) => line.startsWith('Endpoints:'))
}

const own = { 'kubernetes.io/service-name': 'web' }

t.test('a Service in the fields of kubectl', async (t) => {
  t.strictSame(described(web, slice('web-a', own, ['10.244.1.3', '10.244.2.4'])), [
    'Name:                     web',
    'Namespace:                lab',
    'Labels:                   <none>',
    'Annotations:              <none>',
    'Selector:                 app=web',
    'Type:                     NodePort',
    'IP Family Policy:         SingleStack',
    'IP Families:              IPv4',
    'IP:                       10.96.0.10',
    'IPs:                      10.96.0.10',
    'Port:                     <unset>  80/TCP',
    'TargetPort:               8080/TCP',
    'NodePort:                 <unset>  30080/TCP',
    'Endpoints:                10.244.1.3:8080,10.244.2.4:8080',
    'Session Affinity:         None',
    'External Traffic Policy:  Cluster',
    'Internal Traffic Policy:  Cluster',
    'Events:  <none>',
    '',
  ])
})

t.test('the endpoints of a port are the ready ones of its Service', async (t) => {
  const [first, second] = [slice('web-a', own, ['10.0.0.1', '10.0.0.2']), slice('web-b', own, ['10.0.0.3'])]
  const unready = first.endpoints.map((one) => ({ ...one, conditions: { ready: false } }))
  const other = slice('other-a', { 'kubernetes.io/service-name': 'other' }, ['10.0.0.9'])
  const line = (text: string) => [`Endpoints:                ${text}`.trimEnd()]
  t.strictSame(endpoints(web, other), line('<none>'), 'no EndpointSlice')
  t.strictSame(endpoints(web, { ...first, endpoints: [] }), ['Endpoints:'], 'an empty one')
  t.strictSame(endpoints(web, { ...first, endpoints: unready }), ['Endpoints:'], 'none is ready')
  t.strictSame(
    endpoints(web, first, second),
    line('10.0.0.1:8080,10.0.0.2:8080,10.0.0.3:8080'),
    'of all slices',
  )
  t.strictSame(
    endpoints(web, first, second, slice('web-c', own, ['10.0.0.4', '10.0.0.5'])),
    line('10.0.0.1:8080,10.0.0.2:8080,10.0.0.3:8080 + 2 more...'),
  )
  t.strictSame(endpoints(web, slice('web-a', own, ['fd00::1'])), line('[fd00::1]:8080'))
})

t.test('each port has its own endpoints', async (t) => {
  const ports = [
    { name: 'http', port: 80, targetPort: 8080 },
    { name: 'metrics', port: 90, targetPort: 'metrics' },
  ]
  const both = slice('web-a', own, ['10.0.0.1'])
  both.ports = [
    { name: 'http', port: 8080 },
    { name: 'metrics', port: 9100 },
  ]
  const lines = described(service('web', { ports }), both)
  t.strictSame(
    lines
      .filter((line) => /^(Port|TargetPort|Endpoints|NodePort):/.test(line))
      .map((line) => line.split(/: +/)),
    [
      ['Port', 'http  80/TCP'],
      ['TargetPort', '8080/TCP'],
      ['Endpoints', '10.0.0.1:8080'],
      ['Port', 'metrics  90/TCP'],
      ['TargetPort', 'metrics/TCP'],
      ['Endpoints', '10.0.0.1:9100'],
    ],
  )
})

t.test('trafficDistribution is shown, which older releases of kubectl leave out', async (t) => {
  const lines = described(service('web', { ...web.spec, trafficDistribution: 'PreferSameZone' }))
  t.ok(lines.includes('Traffic Distribution:     PreferSameZone'))
})
