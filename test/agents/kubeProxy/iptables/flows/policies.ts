import type { ServiceSpec } from '../../../../../src/cluster/types.js'
import { endpoint, input, service, slice, type Condition } from '../../objects.js'
import { loadBalancer, nodeIP, outside, pod, scenario, type Row, type Scenario } from './scenario.js'

/** E and F: externalTrafficPolicy Local and Cluster. */
export function externalTrafficPolicies(): readonly Scenario[] {
  return (['Local', 'Cluster'] as const).map((policy) => {
    const spec: ServiceSpec = {
      ...loadBalancer,
      externalIPs: ['192.168.99.11'],
      externalTrafficPolicy: policy,
    }
    const both = '10.180.0.1:80, 10.180.2.1:80'
    const local = policy === 'Local'
    const rows: Row[] = [['pod → clusterIP', pod, 'tcp', '172.30.0.41:80', both, false]]
    for (const [what, to] of [
      ['external IP', '192.168.99.11:80'],
      ['VIP', '1.2.3.4:80'],
      ['node port', `${nodeIP}:3001`],
    ] as const) {
      rows.push([`pod → ${what}`, pod, 'tcp', to, both, !local])
      rows.push([`client → ${what}`, outside, 'tcp', to, local ? '10.180.2.1:80' : both, !local])
    }
    const endpoints = [endpoint('10.180.0.1', 'remote'), endpoint('10.180.2.1', 'local')]
    return scenario(
      `E/F: externalTrafficPolicy ${policy}`,
      rows,
      input([service('svc1', spec, ['1.2.3.4'])], [slice('svc1', endpoints)]),
    )
  })
}

type Placed = readonly [number, Condition, 'local' | 'remote']
const G: readonly [string, ServiceSpec, readonly Placed[], [string, boolean], [string, boolean]?][] = [
  [
    'G1',
    { externalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'local'],
      [5, 'R', 'remote'],
    ],
    ['1 2 5', false],
    ['1 2', false],
  ],
  [
    'G2',
    { externalTrafficPolicy: 'Local' },
    [
      [2, 'T', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'local'],
      [5, 'R', 'remote'],
    ],
    ['5', false],
    ['2 3', false],
  ],
  ['G3', { externalTrafficPolicy: 'Local' }, [[5, 'T', 'remote']], ['5', false], ['DROP', false]],
  [
    'G4',
    { externalTrafficPolicy: 'Local' },
    [
      [5, 'X', 'local'],
      [5, 'X', 'remote'],
    ],
    ['REJECT', false],
    ['REJECT', false],
  ],
  [
    'G5',
    {},
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'T', 'remote'],
      [4, 'X', 'remote'],
      [5, 'R', 'remote'],
    ],
    ['1 2 5', false],
    ['1 2 5', true],
  ],
  [
    'G6',
    {},
    [
      [2, 'T', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'remote'],
      [5, 'T', 'remote'],
    ],
    ['2 3 5', false],
    ['2 3 5', true],
  ],
  ['G7', {}, [[5, 'T', 'remote']], ['5', false], ['5', true]],
  [
    'G8',
    {},
    [
      [5, 'X', 'local'],
      [5, 'X', 'remote'],
    ],
    ['REJECT', false],
    ['REJECT', false],
  ],
  ['G9', { externalTrafficPolicy: 'Local' }, [], ['REJECT', false], ['REJECT', false]],
  [
    'G10',
    { type: 'ClusterIP' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['1 2 3', false],
  ],
  [
    'G11',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['1', false],
  ],
  [
    'G12',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'R', 'remote'],
    ],
    ['1 2', false],
  ],
  [
    'G13',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'remote'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['DROP', false],
  ],
  ['G13, deleted', { type: 'ClusterIP', internalTrafficPolicy: 'Local' }, [], ['REJECT', false]],
]

/** G: traffic policies with endpoints that are ready, terminating, or neither. */
export function terminatingEndpoints(): readonly Scenario[] {
  return G.map(([name, spec, placed, internal, external]) => {
    const text = (result: string) => result.replace(/\d/g, '10.0.1.$&:80').replaceAll(' ', ', ')
    const rows: Row[] = [[name, pod, 'tcp', '172.30.1.1:80', text(internal[0]), internal[1]]]
    if (external) rows.push([name, outside, 'tcp', '1.2.3.4:80', text(external[0]), external[1]])
    const endpoints = placed.map(([last, condition, place]) => endpoint(`10.0.1.${last}`, place, condition))
    const full: ServiceSpec = { type: 'LoadBalancer', clusterIP: '172.30.1.1', ...spec }
    return scenario(
      `G: traffic policy and terminating endpoints, ${name}`,
      rows,
      input(
        [service('svc1', full, external ? ['1.2.3.4'] : [])],
        placed.length === 0 ? [] : [slice('svc1', endpoints)],
      ),
    )
  })
}
