import t from 'tap'
import { resourceOf } from '../../src/apiserver/resources.js'
import { tableOf } from '../../src/apiserver/table.js'
import type { Endpoint, EndpointSlice, KubeObject } from '../../src/cluster/types.js'
import { node, pod, service, slice } from './objects.js'

const now = () => new Date('2026-11-21T00:10:00Z')

interface Table {
  columnDefinitions: { name: string; priority: number }[]
  rows: { cells: unknown[]; conditions?: { type: string }[] }[]
}

function table(object: KubeObject): Table {
  const created = { ...object, metadata: { ...object.metadata, creationTimestamp: '2026-11-21T00:00:00Z' } }
  const resource = resourceOf(object)
  const form = { version: 'v1', include: 'None', now, ...(resource ? { resource } : {}) } as const
  return tableOf([created], {}, form, true) as Table
}

/** The cells of a row by column name. */
function printed(object: KubeObject): Record<string, unknown> {
  const { columnDefinitions, rows } = table(object)
  return Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, rows[0]?.cells[index]]))
}

const ingress = (...ingress: { ip?: string; hostname?: string }[]) => ({
  status: { loadBalancer: { ingress } },
})
const waiting = {
  name: 'echo',
  ready: false,
  restartCount: 0,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
}
const running = { name: 'echo', ready: true, restartCount: 0, state: { running: {} } }
const ended = (exitCode: number, reason?: string) => ({
  ...running,
  ready: false,
  state: { terminated: { exitCode, reason } },
})
const changed = (object: EndpointSlice, fields: Partial<EndpointSlice>): EndpointSlice => ({
  ...object,
  ...fields,
})
const endpoint = (address: string): Endpoint => ({ addresses: [address] })

function withStatus(status: Record<string, unknown>, metadata: Record<string, unknown> = {}): KubeObject {
  const base = pod('web', 'node-a')
  return {
    ...base,
    metadata: { ...base.metadata, ...metadata },
    status: { ...base.status, ...status },
  } as KubeObject
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'lab' },
  spec: {
    replicas: 3,
    selector: {
      matchLabels: { tier: 'front', app: 'web' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['b', 'a'] },
        { key: 'canary', operator: 'DoesNotExist' },
      ],
    },
    template: {
      spec: {
        containers: [
          { name: 'one', image: 'a:1' },
          { name: 'two', image: 'b:2' },
        ],
      },
    },
  },
  status: { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
}

const tables: readonly (readonly [string, KubeObject, Record<string, unknown>])[] = [
  [
    'a ClusterIP Service',
    service('a', { clusterIPs: ['10.96.0.1'], ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }),
    {
      Type: 'ClusterIP',
      'Cluster-IP': '10.96.0.1',
      'External-IP': '<none>',
      'Port(s)': '80/TCP,53/UDP',
      Age: '10m',
      Selector: '<none>',
    },
  ],
  [
    'external addresses',
    service('a', { externalIPs: ['192.0.2.1', '192.0.2.2'] }),
    { 'External-IP': '192.0.2.1,192.0.2.2', 'Port(s)': '<none>' },
  ],
  [
    'a headless Service',
    service('a', { clusterIP: 'None', clusterIPs: ['None'], selector: { b: '2', a: '1' } }),
    { 'Cluster-IP': 'None', Selector: 'a=1,b=2' },
  ],
  ['a pending load balancer', service('a', { type: 'LoadBalancer' }), { 'External-IP': '<pending>' }],
  [
    'a load balancer',
    {
      ...service('a', { type: 'LoadBalancer', externalIPs: ['192.0.2.9'] }),
      ...ingress({ ip: '192.0.2.2' }, { hostname: 'lb.example' }, { ip: '192.0.2.1' }),
    },
    { 'External-IP': '192.0.2.1,192.0.2.2,lb.example,192.0.2.9' },
  ],
  [
    'an ExternalName',
    service('a', { type: 'ExternalName', externalName: 'db.example' }),
    { Type: 'ExternalName', 'Cluster-IP': '<none>', 'External-IP': 'db.example' },
  ],
  [
    'a pod of a lab',
    pod('web', 'node-a'),
    {
      Ready: '1/1',
      Status: 'Running',
      Restarts: '0',
      Age: '10m',
      IP: '10.244.1.3',
      Node: 'node-a',
      'Nominated Node': '<none>',
      'Readiness Gates': '<none>',
    },
  ],
  ['a pod that is not ready', withStatus({ conditions: [] }), { Ready: '0/1', Status: 'Running' }],
  [
    'a pod without an address',
    withStatus({ phase: 'Pending', podIP: undefined, podIPs: undefined }),
    { Status: 'Pending', IP: '<none>' },
  ],
  [
    'a pod whose container waits',
    withStatus({ containerStatuses: [waiting] }),
    { Ready: '0/1', Status: 'CrashLoopBackOff' },
  ],
  [
    'a pod whose container failed',
    withStatus({ containerStatuses: [ended(137)] }),
    { Status: 'ExitCode:137' },
  ],
  [
    'a pod that is done',
    withStatus({ phase: 'Succeeded', containerStatuses: [ended(0, 'Completed')] }),
    { Status: 'Completed' },
  ],
  [
    'a pod of which a part is done',
    withStatus({ containerStatuses: [ended(0, 'Completed'), running] }),
    { Status: 'Running' },
  ],
  [
    'a pod that was restarted',
    withStatus({
      containerStatuses: [
        {
          ...running,
          restartCount: 2,
          lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-21T00:08:00Z' } },
        },
      ],
    }),
    { Restarts: '2 (2m ago)' },
  ],
  [
    'a pod that is going',
    withStatus({}, { deletionTimestamp: '2026-11-21T00:09:00Z' }),
    { Status: 'Terminating' },
  ],
  [
    'a node that says nothing',
    node('a', '172.18.0.2'),
    {
      Status: 'Unknown',
      Roles: '<none>',
      Version: '',
      'Internal-IP': '172.18.0.2',
      'External-IP': '<none>',
      'OS-Image': '<unknown>',
    },
  ],
  [
    'a cordoned node',
    {
      ...node('a', '172.18.0.2'),
      metadata: {
        name: 'a',
        labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' },
      },
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.36.2' } },
    } as KubeObject,
    { Status: 'Ready,SchedulingDisabled', Roles: 'control-plane,worker', Version: 'v1.36.2' },
  ],
  [
    'a slice',
    slice('a', {}, ['10.244.1.3', '10.244.1.4']),
    { AddressType: 'IPv4', Ports: '8080', Endpoints: '10.244.1.3,10.244.1.4' },
  ],
  ['an empty slice', changed(slice('a', {}, []), { ports: [] }), { Ports: '<unset>', Endpoints: '<unset>' }],
  [
    'a long slice',
    changed(slice('a', {}, []), {
      endpoints: ['1', '2', '3', '4', '5'].map(endpoint),
      ports: [{ name: 'any' }],
    }),
    { Ports: 'any', Endpoints: '1,2,3 + 2 more...' },
  ],
  [
    'a Deployment',
    deployment,
    {
      Ready: '2/3',
      'Up-to-date': 3,
      Available: 1,
      Containers: 'one,two',
      Images: 'a:1,b:2',
      Selector: 'app=web,!canary,tier=front,zone in (a,b)',
    },
  ],
  [
    'a ReplicaSet',
    { ...deployment, kind: 'ReplicaSet' },
    { Desired: 3, Current: 3, Ready: 2, Containers: 'one,two' },
  ],
  [
    'a StatefulSet',
    { ...deployment, kind: 'StatefulSet' },
    { Ready: '2/3', Age: '10m', Containers: 'one,two', Images: 'a:1,b:2' },
  ],
  [
    'a DaemonSet',
    Object.assign(
      { ...deployment, kind: 'DaemonSet' },
      {
        status: {
          desiredNumberScheduled: 2,
          currentNumberScheduled: 2,
          numberReady: 1,
          updatedNumberScheduled: 2,
        },
      },
    ),
    { Desired: 2, Current: 2, Ready: 1, 'Up-to-date': 2, Available: 0, 'Node Selector': '<none>' },
  ],
  [
    'a ConfigMap',
    Object.assign(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } },
      { data: { a: '1' }, binaryData: { b: 'Mg==' } },
    ),
    { Name: 'page', Data: 2 },
  ],
  [
    'a namespace',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } },
    { Name: 'lab', Status: 'Active', Age: '10m' },
  ],
  [
    'a ServiceCIDR',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: ['10.96.0.0/16', 'fd00:10:96::/112'] },
    } as KubeObject,
    { Name: 'kubernetes', CIDRs: '10.96.0.0/16,fd00:10:96::/112' },
  ],
  [
    'an Ingress',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'shop', namespace: 'lab' },
      spec: {
        ingressClassName: 'nginx',
        tls: [{}],
        rules: ['a', 'b', '', 'c', 'd', 'e'].map((host) => (host === '' ? {} : { host })),
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'lb.example' }] } },
    } as KubeObject,
    {
      Class: 'nginx',
      Hosts: 'a,b,c + 3 more...',
      Address: '192.0.2.1,lb.example',
      Ports: '80, 443',
      Age: '10m',
    },
  ],
  [
    'an Ingress without a class and a host',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'shop', namespace: 'lab' },
      spec: { rules: [{}] },
    } as KubeObject,
    { Class: '<none>', Hosts: '*', Address: '', Ports: '80' },
  ],
  [
    'the default IngressClass',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: {
        controller: 'k8s.io/ingress-nginx',
        parameters: { apiGroup: 'k8s.example.com', kind: 'Parameters', name: 'external' },
      },
    } as KubeObject,
    {
      Name: 'nginx (default)',
      Controller: 'k8s.io/ingress-nginx',
      Parameters: 'Parameters.k8s.example.com/external',
    },
  ],
  [
    'an IPAddress',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: { name: '10.96.0.10' },
      spec: { parentRef: { resource: 'services', namespace: 'lab', name: 'web' } },
    } as KubeObject,
    { ParentRef: 'services/lab/web' },
  ],
]

for (const [about, object, cells] of tables)
  void t.test(`the row of ${about}`, (t) => {
    const row = printed(object)
    for (const [name, cell] of Object.entries(cells)) t.equal(row[name], cell, name)
    t.end()
  })

void t.test('a pod that has ended is marked, a running one is not', (t) => {
  t.match(table(withStatus({ phase: 'Failed' })).rows[0]?.conditions, [
    { type: 'Completed', status: 'True', reason: 'Failed' },
  ])
  t.equal(table(pod('web', 'node-a')).rows[0]?.conditions, undefined)
  t.end()
})
