import t from 'tap'
import { constantsOf } from '../../../src/diagnose/reach/cuts.js'
import { askedOf } from '../../../src/diagnose/reach/matrix.js'
import { NodeGroups } from '../../../src/diagnose/reach/nodeGroups.js'
import { reachRequests } from '../../../src/diagnose/reach/requests.js'
import { attachedSnapshot } from '../../../src/snapshot/attached/attachedState.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'
import type { Snapshot } from '../../../src/snapshot/model/snapshot.js'

const nodes = [1, 2, 3, 4, 5].map((number) => `node-${number}`)

t.test('nodes without endpoints of a Service are one group, and end as each of them', (t) => {
  const snapshot = cluster()
  t.same(groupsOf(snapshot, 'default/web'), [1, 1, 3])
  t.same([...endsOf(snapshot, true)].sort(), [...endsOf(snapshot, false)].sort())
  t.end()
})

t.test('a node that is different is alone', (t) => {
  const { state, ...rest } = cluster()
  for (const [what, changed] of [
    [
      'a setting',
      {
        ...state,
        sysctls: new Map([
          ...state.sysctls,
          ['node-4', { ...state.sysctls.get('node-4'), 'net.ipv4.ip_forward': 0 }],
        ]),
      },
    ],
    [
      'a route to it that one host does not have',
      {
        ...state,
        network: {
          ...state.network,
          routes: state.network.routes.filter(
            ({ netns, via }) => netns !== 'node-1' || via !== '192.168.0.4',
          ),
        },
      },
    ],
    [
      'a neighbour of one host',
      {
        ...state,
        network: {
          ...state.network,
          neighbours: [
            ...state.network.neighbours,
            { netns: 'node-1', device: 'eth0', address: '192.168.0.4', mac: '02:00:00:00:00:99' },
          ],
        },
      },
    ],
  ] as const) {
    const snapshot: Snapshot = { ...rest, state: changed }
    const groups = new NodeGroups([changed], rest.model.topology, constantsOf([changed])).of('default/web')
    t.ok(
      groups.some(({ first, size }) => first.name === 'node-4' && size === 1),
      what,
    )
    t.same([...endsOf(snapshot, true)].sort(), [...endsOf(snapshot, false)].sort(), what)
  }
  t.end()
})

function groupsOf(snapshot: Snapshot, service: string): number[] {
  const { state, model } = snapshot
  return new NodeGroups([state], model.topology, constantsOf([state]))
    .of(service)
    .map(({ size }) => size)
    .sort()
}

/** How requests of each kind of sender end, with the names of nodes left out. */
function endsOf(snapshot: Snapshot, inGroups: boolean): Set<string> {
  const constants = constantsOf([snapshot.state])
  const groups = inGroups ? new NodeGroups([snapshot.state], snapshot.model.topology, constants) : undefined
  const asked = askedOf(snapshot)
  const found = new Set<string>()
  for (const request of reachRequests(snapshot, constants, { groups })) {
    const { source, target, by } = request
    const { cell } = asked.answerTo(request)
    const ends = cell.ends.map(({ kind, who, share }) => `${kind} ${kind === 'received' ? who : ''} ${share}`)
    const own = source.node === target.node || by?.name === target.node ? 'own' : 'other'
    const receiver = target.kind === 'pod' ? ends.map((end) => end.split(' ')[0]) : ends
    found.add(
      [
        source.kind,
        target.kind,
        target.port,
        target.node === undefined ? '' : own,
        cell.unknown,
        ...new Set(receiver),
      ].join(' ; '),
    )
  }
  return found
}

/** Five nodes, a Service with node port and endpoints on the first two, and a pod on each. */
function cluster(): Snapshot {
  const meta = (name: string, labels = {}) => ({ name, namespace: 'default', labels })
  const pod = (name: string, nodeName: string, ip: string) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: meta(name, { app: name.slice(0, 3) }) },
    spec: { nodeName, containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }] },
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  })
  const items = [
    ...nodes.map((name, index) => ({
      ...{ apiVersion: 'v1', kind: 'Node', metadata: { name } },
      spec: { podCIDR: `10.9.${index + 1}.0/24`, podCIDRs: [`10.9.${index + 1}.0/24`] },
      status: { addresses: [{ type: 'InternalIP', address: `192.168.0.${index + 1}` }] },
    })),
    ...nodes.map((name, index) => pod(`box-${index}`, name, `10.9.${index + 1}.7`)),
    pod('web-1', 'node-1', '10.9.1.8'),
    pod('web-2', 'node-2', '10.9.2.8'),
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: meta('web') },
      spec: {
        ...{ type: 'NodePort', clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'], ipFamilies: ['IPv4'] },
        ...{
          selector: { app: 'web' },
          ports: [{ port: 80, targetPort: 8080, nodePort: 30080, protocol: 'TCP' }],
        },
      },
    },
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: meta('web-x', { 'kubernetes.io/service-name': 'web' }),
      endpoints: [1, 2].map((number) => ({
        ...{ addresses: [`10.9.${number}.8`], conditions: { ready: true }, nodeName: `node-${number}` },
        targetRef: { kind: 'Pod', name: `web-${number}`, namespace: 'default' },
      })),
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    },
  ]
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  return attachedSnapshot(
    readBundle('objects.json', [{ path: 'objects.json', bytes: new TextEncoder().encode(text) }]),
  )
}
