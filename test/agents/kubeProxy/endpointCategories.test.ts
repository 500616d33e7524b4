import t from 'tap'
import type { Endpoint, ServiceSpec } from '../../../src/cluster/types.js'
import { categorizeEndpoints } from '../../../src/agents/kubeProxy/endpointCategories.js'
import { endpointsMap } from '../../../src/agents/kubeProxy/endpoints.js'
import { servicePorts } from '../../../src/agents/kubeProxy/servicePort.js'
import { endpoint, service, slice, type Condition } from './objects.js'

type Given = readonly [
  last: number,
  zones: string,
  node?: string,
  place?: 'local' | 'remote',
  condition?: Condition,
]
interface Row {
  readonly name: string
  readonly endpoints: readonly Given[]
  readonly zone?: string
  readonly node?: string
  readonly spec?: ServiceSpec
  readonly cluster: string
  readonly local?: string
  readonly reachable?: string
  readonly any?: boolean
}

const zonesABCA: readonly Given[] = [
  [3, 'a'],
  [4, 'b'],
  [5, 'c'],
  [6, 'a'],
]
const nodeHints: readonly Given[] = [
  [3, 'a', 'n1'],
  [4, 'b', 'n2'],
  [5, 'c', 'n3'],
  [6, 'a', 'n4'],
]
const oneEach: readonly Given[] = [
  [1, '', '', 'local'],
  [2, '', '', 'remote'],
]
const eTPLocal: ServiceSpec = { type: 'NodePort', externalTrafficPolicy: 'Local' }
const iTPLocal: ServiceSpec = { internalTrafficPolicy: 'Local' }

// Which endpoints traffic gets, by hints, policies and conditions of the endpoints; addresses are 10.1.2.N.
const rows: readonly Row[] = [
  { name: 'zones a, b, c, a', endpoints: zonesABCA, zone: 'a', cluster: '3 6' },
  { name: 'the zone of the node is not hinted', endpoints: [[3, 'a']], zone: 'b', cluster: '3' },
  { name: 'the node has no zone', endpoints: [[3, 'a']], zone: '', cluster: '3' },
  {
    name: 'one hint is missing',
    endpoints: [
      [3, 'a'],
      [4, 'b'],
      [5, ''],
      [6, 'a'],
    ],
    zone: 'a',
    cluster: '3 4 5 6',
  },
  {
    name: 'hints for several zones',
    endpoints: [
      [3, 'a,b,c'],
      [4, 'b,c'],
      [5, 'b,d'],
      [6, 'c'],
    ],
    zone: 'c',
    cluster: '3 4 6',
  },
  {
    name: 'an unready one in the zone',
    endpoints: [
      [3, 'a'],
      [4, 'b'],
      [5, 'c'],
      [6, 'a', '', 'remote', 'X'],
    ],
    zone: 'a',
    cluster: '3',
  },
  {
    name: 'all in the zone unready',
    endpoints: [
      [3, 'a', '', 'remote', 'X'],
      [4, 'b'],
      [5, 'c'],
      [6, 'a', '', 'remote', 'X'],
    ],
    zone: 'a',
    cluster: '4 5',
  },
  { name: 'node hints', endpoints: nodeHints, zone: 'a', node: 'n1', cluster: '3' },
  {
    name: 'no hints on one',
    endpoints: [
      [3, 'a', 'n1'],
      [4, ''],
      [5, 'c', 'n3'],
      [6, 'a', 'n4'],
    ],
    zone: 'a',
    node: 'n1',
    cluster: '3 4 5 6',
  },
  { name: 'no node hint for this node', endpoints: nodeHints, zone: 'a', node: 'n0', cluster: '3 6' },
  {
    name: 'externalTrafficPolicy Local with zone hints',
    endpoints: [
      [3, 'a', '', 'local'],
      [4, 'b', '', 'local'],
      [5, 'c'],
      [6, 'a'],
    ],
    zone: 'a',
    spec: eTPLocal,
    cluster: '3 6',
    local: '3 4',
    reachable: '3 4 6',
  },
  {
    name: 'externalTrafficPolicy Local falls back to a terminating endpoint by itself',
    endpoints: [
      [0, '', '', 'remote'],
      [1, '', '', 'local', 'X'],
      [2, '', '', 'local', 'T'],
      [3, '', '', 'remote', 'T'],
    ],
    spec: eTPLocal,
    cluster: '0',
    local: '2',
    reachable: '0 2',
  },
  {
    name: 'internalTrafficPolicy Local, all remote',
    endpoints: [
      [1, ''],
      [2, ''],
    ],
    spec: iTPLocal,
    cluster: '',
    any: true,
  },
  {
    name: 'both Local, all remote and terminating',
    endpoints: [
      [1, '', '', 'remote', 'T'],
      [2, '', '', 'remote', 'T'],
    ],
    spec: { ...eTPLocal, ...iTPLocal },
    cluster: '1 2',
    local: '',
    reachable: '1 2',
  },
  {
    name: 'externalTrafficPolicy Local, not accessible from outside',
    endpoints: oneEach,
    spec: { externalTrafficPolicy: 'Local' },
    cluster: '1 2',
    local: '',
  },
  {
    name: 'internalTrafficPolicy Local, internal only',
    endpoints: oneEach,
    spec: iTPLocal,
    cluster: '',
    local: '1',
    reachable: '1',
    any: true,
  },
  { name: 'none ready or serving', endpoints: [[1, '', '', 'remote', 'X']], cluster: '', any: false },
  { name: 'no endpoints', endpoints: [], cluster: '', any: false },
]

for (const {
  name,
  endpoints,
  zone = '',
  node = 'test-node',
  spec = {},
  cluster,
  local = '',
  reachable = cluster,
  any = cluster !== '',
} of rows) {
  t.test(name, (t) => {
    const nodePort = spec.type === 'NodePort' ? 30080 : 0
    const made = service('svc', {
      clusterIP: '10.0.0.1',
      ports: [{ name: 'http', port: 80, nodePort }],
      ...spec,
    })
    const [port] = servicePorts(made, 'IPv4', { externalIPs: true })
    if (!port) throw new Error('the Service has no port')
    const known = endpointsMap([slice('svc', endpoints.map(given))], 'IPv4', 'test-node')
    const found = categorizeEndpoints(known.get(port.key) ?? [], port, { nodeName: node, zone })
    const text = (list: readonly { readonly address: string }[]) =>
      list
        .map(({ address }) => address.replace('10.1.2.', ''))
        .sort()
        .join(' ')
    t.same(
      {
        cluster: text(found.cluster),
        local: text(found.local),
        reachable: text(found.reachable),
        any: found.any,
      },
      { cluster, local, reachable, any },
    )
    t.end()
  })
}

function given([last, zones, node = '', place = 'remote', condition = 'R']: Given): Endpoint {
  const named = (text: string) => (text === '' ? [] : text.split(',').map((name) => ({ name })))
  return endpoint(`10.1.2.${last}`, place, condition, { forZones: named(zones), forNodes: named(node) })
}
