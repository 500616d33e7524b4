import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import t from 'tap'
import { clusterObjects } from '../../src/apiserver/clusterObjects.js'
import { describeObject } from '../../src/apiserver/describe/describeObject.js'
import type { Service } from '../../src/cluster/types.js'
import { kubectl, kubectlHome as environment, needsKubectl as options } from './kubectlHome.js'
import { node, pod, service, slice, web } from './objects.js'
import { serve } from './serve.js'

const objects = clusterObjects(
  {
    nodes: [node('node-a', '172.18.0.2'), node('node-b', '172.18.0.3')],
    namespaces: [],
    deployments: [],
    pods: [pod('web-a', 'node-a'), pod('web-b', 'node-b')],
    services: [web],
    endpointSlices: [slice('web-abcde', { 'kubernetes.io/service-name': 'web' }, ['10.244.1.3'])],
  },
  { kernel: '6.1.0', since: new Date() },
)

/** The words of each line of a printed table. */
const words = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))

void t.test('kubectl get prints the lab', options, async (t) => {
  const { server } = await serve(t, objects)
  const env = environment(t, server)
  const wide = await kubectl(env, 'get', 'svc', '-A', '-o', 'wide')
  t.equal(wide.stderr, '')
  t.match(words(wide.stdout), [
    ['NAMESPACE', 'NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE', 'SELECTOR'],
    ['lab', 'web', 'NodePort', '10.96.0.10', '<none>', '80:30080/TCP', /^\d+s$/, 'app=web'],
  ])
  const all = await kubectl(env, 'get', 'svc,pods,nodes,endpointslices', '-A', '-o', 'json')
  t.ok(all.ok, all.stderr)
  const { items } = JSON.parse(all.stdout) as { items: { kind: string; metadata: { name: string } }[] }
  t.same(
    items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ['Service web', 'Pod web-a', 'Pod web-b', 'Node node-a', 'Node node-b', 'EndpointSlice web-abcde'],
  )
  const pages = await kubectl(env, 'get', 'po', '-n', 'lab', '--chunk-size=1', '-o', 'name')
  t.equal(pages.stdout, 'pod/web-a\npod/web-b\n')
  const some = await kubectl(
    env,
    'get',
    'po',
    '-A',
    '-l',
    'app in (web)',
    '--field-selector',
    'spec.nodeName=node-b',
    '-o',
    'name',
  )
  t.equal(some.stdout, 'pod/web-b\n')
  const inAll = await kubectl(env, 'get', 'all', '-n', 'lab', '-o', 'name')
  t.equal(inAll.stdout, 'pod/web-a\npod/web-b\nservice/web\n')
})

void t.test('describe prints Services as kubectl does', options, async (t) => {
  const more = slice('web-fghij', { 'kubernetes.io/service-name': 'web' }, ['10.244.1.4', '10.244.2.4'])
  const gone = slice('gone-abcde', { 'kubernetes.io/service-name': 'gone' }, [])
  const db = slice('db-abcde', { 'kubernetes.io/service-name': 'db' }, ['fd00::1:9'])
  const ports = [{ name: 'a', port: 80, targetPort: 'web', protocol: 'UDP' }] as const
  const services: Service[] = [
    web,
    service('gone', web.spec, { team: 'a', 'a.example/b': 'c' }),
    service('db', { ...web.spec, type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] }),
    service('none', { ...web.spec, ports: [...ports, { port: 81, protocol: 'TCP', targetPort: 81 }] }),
    service('out', { type: 'ExternalName', externalName: 'shop.example', sessionAffinity: 'None' }),
    {
      ...service('balanced', {
        ...{ ...web.spec, type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30001 },
        ...{ loadBalancerSourceRanges: ['10.0.0.0/8', '192.0.2.0/24'], externalIPs: ['192.0.2.7'] },
        ...{ loadBalancerIP: '192.0.2.1', sessionAffinity: 'ClientIP' },
      }),
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }, { hostname: 'a.example' }] } },
    },
  ]
  const slices = [...objects.filter(({ kind }) => kind === 'EndpointSlice'), more, gone, db]
  const { server } = await serve(t, [...objects, ...services, more, gone, db])
  const env = environment(t, server)
  const withoutEvents = (text: string) => text.replaceAll(/ +$/gm, '').replace(/^Events:.*\n+/m, '')
  for (const one of services) {
    const { stdout, stderr } = await kubectl(env, 'describe', 'svc', '-n', 'lab', one.metadata.name)
    t.equal(withoutEvents(describeObject(one, slices, [], new Date())), withoutEvents(stdout), stderr)
  }
})

void t.test('kubectl reports rejected requests', options, async (t) => {
  const { server } = await serve(t, objects)
  const env = environment(t, server)
  const absent = await kubectl(env, 'get', 'svc', 'nope', '-n', 'lab')
  t.equal(absent.stderr, 'Error from server (NotFound): services "nope" not found\n')
  const removed = await kubectl(env, 'delete', 'svc', 'web', '-n', 'lab')
  t.match(removed.stderr, /^Error from server \(MethodNotAllowed\): this API server is read-only/)
})

void t.test('kubectl get -w follows the lab', options, async (t) => {
  const { store, server } = await serve(t, objects)
  const child = spawn('kubectl', ['get', 'svc', '-n', 'lab', '-w', '--no-headers'], {
    env: environment(t, server),
  })
  const gone = new Promise((resolve) => child.on('close', resolve))
  const lines: string[][] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line.split(/ {2,}/))
    if (lines.length === 1)
      store.apply(service('api', { clusterIP: '10.96.0.20', clusterIPs: ['10.96.0.20'] }))
    if (lines.length === 2) store.remove('Service', 'lab', 'web')
    if (lines.length === 3) break
  }
  child.kill()
  await gone
  t.same(
    lines.map(([name, type]) => `${name} ${type}`),
    ['web NodePort', 'api ClusterIP', 'web NodePort'],
  )
})

for (const streaming of ['true', 'false'])
  void t.test(`client-go's reflector, with watch-lists ${streaming}`, options, async (t) => {
    const { store, server } = await serve(t, objects)
    const env = { ...environment(t, server), KUBE_FEATURE_WatchListClient: streaming }
    const wanted = '--for=jsonpath={.spec.externalIPs[0]}=192.0.2.7'
    const waiting = kubectl(env, 'wait', wanted, 'svc/web', '-n', 'lab', '--timeout=120s')
    store.apply({ ...web, spec: { ...web.spec, externalIPs: ['192.0.2.7'] } })
    t.equal((await waiting).stdout, 'service/web condition met\n')
  })
