import t from 'tap'
import { describeObject, neededResources } from '../../../src/apiserver/describe/describeObject.js'
import type { DescribedEvent } from '../../../src/apiserver/describe/eventSection.js'
import type { KubeObject } from '../../../src/cluster/types.js'
import { cluster, deployment, service } from '../../cluster/lab.js'

const now = new Date('2026-11-21T00:10:00Z')

const ingressText = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: nginx
  annotations: { ingressclass.kubernetes.io/is-default-class: "true" }
spec:
  controller: k8s.io/ingress-nginx
  parameters: { apiGroup: k8s.example.com, kind: Parameters, name: external, scope: Namespace, namespace: infra }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop, labels: { team: shop }, annotations: { a.example/x: "1", a.example/b: "2" } }
spec:
  ingressClassName: CLASS
  tls: [{ hosts: [a.example, b.example], secretName: missing }, {}]
  rules:
  - host: a.example
    http:
      paths:
      - { path: /a/pings, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }
      - { path: /idle, pathType: Exact, backend: { service: { name: idle, port: { number: 80 } } } }
      - { path: /none, pathType: Exact, backend: { service: { name: none, port: { number: 80 } } } }
      - { path: /port, pathType: Exact, backend: { service: { name: web, port: { name: http } } } }
  - http: { paths: [{ pathType: ImplementationSpecific, backend: { resource: { kind: Bucket, name: icons } } }] }
---
`
const objects = (ingressClass: string) =>
  cluster(
    deployment('web', 2) + service('web') + service('idle') + ingressText.replace('CLASS', ingressClass),
  )

function described(
  ingressClass: string,
  kind: 'Ingress' | 'IngressClass',
  events: DescribedEvent[] = [],
  status: object = {},
) {
  const made = objects(ingressClass)
  const { services, endpointSlices: endpointslices, secrets = [] } = made
  const { ingresses = [], ingressClasses: ingressclasses = [] } = made
  const object = { ...(kind === 'Ingress' ? ingresses : ingressclasses)[0], ...status } as KubeObject
  const all: Record<string, readonly KubeObject[]> = {
    ...{ services, endpointslices, secrets, ingresses, ingressclasses },
  }
  // only the resources that the describer lists
  const related = neededResources(kind).flatMap((name) => all[name] ?? [])
  return describeObject(object, related, events, now).split('\n')
}

t.test('an Ingress with the problems of its paths', async (t) => {
  const at = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  const event = (fields: Partial<DescribedEvent>): DescribedEvent => ({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'x' }, source: { component: 'ingress-nginx' } },
    ...fields,
  })
  const events = [
    event({ ...{ type: 'Warning', reason: 'ServiceNotFound', message: 'no\u001b[2J', count: 3 } }),
    event({ type: 'Normal', reason: 'Sync', message: 'served', lastTimestamp: at(300) }),
  ].map((one, index) => (index === 0 ? { ...one, lastTimestamp: at(5), firstTimestamp: at(90) } : one))
  t.strictSame(described('nginx', 'Ingress', events), [
    'Name:             shop',
    'Namespace:        default',
    'Labels:           team=shop',
    'Annotations:      a.example/b: 2',
    '                  a.example/x: 1',
    'Address:          <none> (no controller has assigned one)',
    'Ingress Class:    nginx (controller k8s.io/ingress-nginx; no controller of this lab serves it)',
    'Default backend:  <default>',
    'TLS:',
    '  Hosts                Secret',
    '  -----                ------',
    '  a.example,b.example  missing (not used: Secret default/missing was not found)',
    "  *                    <none> (the controller's own certificate)",
    'Rules:',
    '  Host       Path      Type                    Backend',
    '  ----       ----      ----                    -------',
    '  a.example  /a/pings  Prefix                  web:80 (10.244.1.2:80,10.244.2.2:80)',
    '             /idle     Exact                   idle:80 (no endpoint is ready)',
    '             /none     Exact                   none:80 (not served: Service default/none was not found)',
    '             /port     Exact                   web:http (not served: Service default/web has no port http)',
    '  *          /         ImplementationSpecific  Bucket/icons (not served: no controller supports it)',
    'Events:',
    '  Type     Reason           Age               From           Message',
    '  ----     ------           ---               ----           -------',
    '  Normal   Sync             5m                ingress-nginx  served',
    '  Warning  ServiceNotFound  5s (x3 over 90s)  ingress-nginx  no\\x1b[2J',
    '',
  ])
})

t.test('an Ingress of a class that does not exist', async (t) => {
  const lines = described('other', 'Ingress')
  t.ok(lines.includes('Ingress Class:    other (there is no such IngressClass: no controller serves it)'))
  t.equal(lines.at(-2), 'Events:  <none>')
})

t.test('an Ingress with an address from its controller', async (t) => {
  const lines = described('nginx', 'Ingress', [], {
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  })
  t.ok(lines.includes('Address:          192.0.2.1'))
  t.ok(lines.includes('Ingress Class:    nginx (controller k8s.io/ingress-nginx)'))
})

t.test('an IngressClass with the Ingresses that name it', async (t) => {
  t.strictSame(described('nginx', 'IngressClass').slice(3), [
    'Controller:   k8s.io/ingress-nginx',
    'Default:      yes',
    'Parameters:   Parameters.k8s.example.com/external in namespace infra',
    'Ingresses:    default/shop',
    'Events:  <none>',
    '',
  ])
  t.ok(described('other', 'IngressClass').includes('Ingresses:    <none>'))
})

t.test('an object of any other kind with its spec', async (t) => {
  const [object] = objects('nginx').deployments
  const text = describeObject(object as KubeObject, [], [], now)
  t.match(
    text,
    /^Name: {9}web\nNamespace: {4}default\nLabels: {7}<none>\nAnnotations: {2}deployment.kubernetes.io\/revision: 1\nSpec:\n {2}replicas: 2\n {2}selector:\n {4}matchLabels:\n/,
  )
  t.match(text, /\nEvents: {2}<none>\n$/)
  t.same(neededResources('Deployment'), [])
})

t.test('a Secret without its values', async (t) => {
  const secret: KubeObject & { type: string; data: Record<string, string> } = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'lab' } },
    ...{ type: 'Opaque', data: { password: 'c2VjcmV0' } },
  }
  t.strictSame(describeObject(secret, [], [], now).split('\n').slice(4, 9), [
    'Type:         Opaque',
    'Data:',
    '  Key       Size',
    '  ---       ----',
    '  password  6 bytes',
  ])
})

const template = `template:
        metadata: { labels: { app: nightly } }
        spec:
          restartPolicy: Never
          containers: [{ name: main, image: busybox, command: [sh, -c, 'echo done'], ports: [{ containerPort: 80 }] }]
`

t.test('a Job with its counts and its template', async (t) => {
  const text = `apiVersion: batch/v1\nkind: Job\nmetadata: { name: once }\nspec: { backoffLimit: 2 }\n`
  const [job] =
    cluster(
      text.replace(
        'spec: { backoffLimit: 2 }',
        `spec:\n  backoffLimit: 2\n  ${template.replaceAll('\n    ', '\n')}`,
      ),
    ).jobs ?? []
  const status = {
    ...{ active: 0, succeeded: 1, failed: 2, startTime: '2026-11-21T00:00:00Z' },
    ...{ completionTime: '2026-11-21T00:01:05Z' },
    conditions: [{ type: 'Complete', status: 'True', reason: 'CompletionsReached', message: 'Reached' }],
  }
  const lines = describeObject({ ...job, status } as KubeObject, [], [], now).split('\n')
  t.match(lines[2], /^Selector: +batch\.kubernetes\.io\/controller-uid=/)
  // a created Job has the labels of its template
  t.match(lines[3], /^Labels: +app=nightly$/)
  t.match(lines.slice(lines.findIndex((line) => line.startsWith('Parallelism:'))), [
    'Parallelism:      1',
    'Completions:      1',
    'Completion Mode:  NonIndexed',
    'Suspend:          false',
    'Backoff Limit:    2',
    'Start Time:       Sat, 21 Nov 2026 00:00:00 +0000',
    'Completed At:     Sat, 21 Nov 2026 00:01:05 +0000',
    'Duration:         65s',
    'Pods Statuses:    0 Active (0 Ready) / 1 Succeeded / 2 Failed',
    'Conditions:',
  ])
  t.same(lines.slice(lines.indexOf('  Containers:'), -2), [
    '  Containers:',
    '   main:',
    '     Image:  busybox',
    '     Port:  80/TCP',
    '     Command:',
    '       sh',
    '       -c',
    '       echo done',
    '  Node-Selectors:  <none>',
  ])
})

t.test('a ReplicationController with the state of its pods', async (t) => {
  const text = deployment('old', 2)
    .replace('apps/v1', 'v1')
    .replace('Deployment', 'ReplicationController')
    .replace('{ matchLabels: { app: old } }', '{ app: old }')
  const { replicationControllers: [controller] = [], pods } = cluster(text)
  const shown = { ...controller, status: { replicas: 2 } } as KubeObject
  const lines = describeObject(shown, pods, [], now).split('\n')
  t.equal(lines[2], 'Selector:     app=old')
  t.same(lines.slice(5, 8), [
    'Replicas:     2 current / 2 desired',
    'Pods Status:  2 Running / 0 Waiting / 0 Succeeded / 0 Failed',
    'Pod Template:',
  ])
})

t.test('a Namespace, as kubectl prints it', (t) => {
  const labels = { 'kubernetes.io/metadata.name': 'shop', team: 'a' }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } }
  const text = (status: object) => describeObject({ ...namespace, ...status }, [], [], now)
  t.equal(
    text({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } }),
    `Name:         shop
Labels:       kubernetes.io/metadata.name=shop
              team=a
Annotations:  <none>
Status:       Terminating

No resource quota.

No LimitRange resource.
`,
  )
  t.match(text({}), /^Status: {7}Active$/m)
  t.end()
})
