import t from 'tap'
import { clusterObjects } from '../../src/apiserver/clusterObjects.js'
import { node, pod, slice, web } from './objects.js'
import { kubectl, kubectlHome, needsKubectl } from './kubectlHome.js'
import { serve } from './serve.js'
import { writableLab } from './writableLab.js'

/** Those of the controller: Endpoints are made from its slices. */
const labels = {
  'kubernetes.io/service-name': 'web',
  'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
}
const cluster = {
  nodes: [node('node-a', '172.18.0.2'), node('node-b', '172.18.0.3')],
  namespaces: [],
  deployments: [],
  pods: [pod('web-a', 'node-a'), pod('web-b', 'node-b')],
  services: [web],
  endpointSlices: [slice('web-abcde', labels, ['10.244.1.3', '10.244.2.4'])],
}
const objects = clusterObjects(cluster, { kernel: '6.1.0', since: new Date() })

void t.test('explain prints fields from the OpenAPI documents', needsKubectl, async (t) => {
  const { server } = await serve(t, objects)
  const env = kubectlHome(t, server)
  const spec = await kubectl(env, 'explain', 'service.spec')
  t.equal(spec.stderr, '')
  t.match(spec.stdout, /KIND: +Service\nVERSION: +v1\n/)
  t.match(spec.stdout, /^FIELD: spec <ServiceSpec>$/m)
  t.match(spec.stdout, /^ {2}ports\t<\[\]ServicePort>$/m)
  t.match(spec.stdout, /^ {2}selector\t<map\[string\]string>$/m)
  const port = await kubectl(env, 'explain', 'svc.spec.ports.targetPort')
  t.match(port.stdout, /^FIELD: targetPort <IntOrString>$/m, port.stderr)
  const nested = await kubectl(env, 'explain', 'deployments', '--recursive')
  t.match(nested.stdout, /^GROUP: +apps\nKIND: +Deployment\n/, nested.stderr)
  t.match(nested.stdout, /^ +containerPort\t<integer>$/m)
  const route = await kubectl(env, 'explain', 'httproute.spec.rules')
  t.match(route.stdout, /^GROUP: +gateway.networking.k8s.io$/m, route.stderr)
  const unknown = await kubectl(env, 'explain', 'service.spec.nope')
  t.match(unknown.stderr, /field "nope" does not exist/)
})

void t.test('get prints endpoints, service accounts and leases', needsKubectl, async (t) => {
  const { store, server } = await serve(t, objects)
  const env = kubectlHome(t, server)
  const shown = await kubectl(env, 'get', 'ep', '-n', 'lab', '--no-headers')
  t.match(shown.stdout, /^web +10\.244\.1\.3:8080,10\.244\.2\.4:8080 +\d+s\n$/, shown.stderr)
  const accounts = await kubectl(env, 'get', 'sa', '-A', '--no-headers')
  t.same(
    accounts.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/).slice(0, 3).join(' ')),
    ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'lab'].map((one) => `${one} default 0`),
  )
  const leases = await kubectl(env, 'get', 'leases', '-n', 'kube-node-lease', '--no-headers')
  t.match(leases.stdout, /^node-a +node-a +\d+s\nnode-b +node-b +\d+s\n$/, leases.stderr)
  const more = slice('web-abcde', labels, ['10.244.1.3'])
  store.replace(
    clusterObjects({ ...cluster, endpointSlices: [more] }, { kernel: '6.1.0', since: new Date() }),
  )
  const json = await kubectl(env, 'get', 'endpoints', 'web', '-n', 'lab', '-o', 'jsonpath={.subsets}')
  t.same(JSON.parse(json.stdout), [
    { addresses: [{ ip: '10.244.1.3' }], ports: [{ port: 8080, protocol: 'TCP' }] },
  ])
})

void t.test('auth answers for every client', needsKubectl, async (t) => {
  const { server } = await serve(t, objects)
  const env = kubectlHome(t, server)
  const who = await kubectl(env, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')
  t.equal(who.stdout, 'vethlab', who.stderr)
  const can = await kubectl(env, 'auth', 'can-i', 'list', 'services')
  t.equal(can.stdout, 'yes\n', can.stderr)
  t.equal((await kubectl(env, 'auth', 'can-i', '*', '*')).stdout, 'yes\n')
  t.equal((await kubectl(env, 'auth', 'can-i', 'get', '/version')).stdout, 'yes\n')
  const cannot = await kubectl(env, 'auth', 'can-i', 'delete', 'leases')
  t.equal(
    cannot.stdout,
    "no - the lab's API does not serve delete on leases.coordination.k8s.io; RBAC is not evaluated in a lab\n",
  )
  const writable = await writableLab(t, 'apiVersion: v1\nkind: Namespace\nmetadata: { name: other }\n')
  const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const review = async (verb: string) => {
    const resourceAttributes = { verb, resource: 'nodes' }
    const { json } = await writable.send('POST', reviews, { spec: { resourceAttributes } })
    return (json as { status: unknown }).status
  }
  t.match(await review('create'), {
    allowed: false,
    reason: /does not serve create on nodes; RBAC is not evaluated/,
  })
  t.match(await review('patch'), { allowed: true })
  const all = await kubectl(env, 'auth', 'can-i', '--list')
  t.match(all.stdout, /^services +\[\] +\[\] +\[get list watch/m, all.stderr)
  const listed = await kubectl(env, 'get', '--raw', '/apis/authentication.k8s.io/v1/selfsubjectreviews')
  t.match(listed.stderr, /^Error from server \(MethodNotAllowed\)/)
})

void t.test('events lists Events; top names what is missing', needsKubectl, async (t) => {
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web.1', namespace: 'lab' },
    involvedObject: { apiVersion: 'v1', kind: 'Service', name: 'web', namespace: 'lab' },
    ...{ type: 'Warning', reason: 'Odd', message: 'an odd thing' },
    ...{ firstTimestamp: new Date().toISOString(), lastTimestamp: new Date().toISOString(), count: 1 },
  }
  const { server } = await serve(t, [...objects, event])
  const env = kubectlHome(t, server)
  for (const command of [['events'], ['events', '--for', 'service/web'], ['get', 'events']]) {
    const { stdout, stderr } = await kubectl(env, ...command, '-n', 'lab')
    t.match(stdout, /^\d+s +Warning +Odd +service\/web +an odd thing$/im, `${command.join(' ')} ${stderr}`)
  }
  for (const what of ['nodes', 'pods']) {
    const top = await kubectl(env, 'top', what)
    t.equal(top.stderr, 'error: Metrics API not available\n')
  }
})
