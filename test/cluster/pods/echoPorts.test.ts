import t from 'tap'
import { echoPorts } from '../../../src/cluster/pods/echoPorts.js'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import { cluster, deployment, refusals, service } from '../lab.js'

function pod(containers: string, more = ''): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { app: web } }\nspec:\n  containers:\n${containers}${more}---\n`
}

const ports = (text: string) => {
  const built = cluster(text)
  return echoPorts(built.pods[0]!, built)
}

t.test('container ports; the target ports of Services only where the pod declares none', (t) => {
  const dns = service('web').replace(
    '[{ port: 80 }]',
    '[{ name: a, port: 80, targetPort: 8080 }, { name: b, port: 53, protocol: UDP }, { name: c, port: 81, targetPort: http }]',
  )
  const container =
    '    - { name: a, image: x, args: [--verbose], ports: [{ name: http, containerPort: 9000 }] }\n'
  t.same(ports(pod(container) + dns + service('other')), [{ port: 9000, protocol: 'TCP', name: 'http' }])
  t.same(ports(pod('    - { name: a, image: x }\n') + dns + service('other')), [
    { port: 53, protocol: 'UDP' },
    { port: 8080, protocol: 'TCP' },
  ])
  const run = '    - { name: own, image: x, command: [sleep, "9"], ports: [{ containerPort: 90 }] }\n'
  t.same(ports(pod(`${run}    - { name: side, image: x }\n`) + dns), [], 'another container declares a port')
  t.same(ports(pod('    - { name: a, image: x }\n')), [])
  t.end()
})

t.test('a container with a command has no echo server', (t) => {
  const run = '    - { name: own, image: x, command: [sleep, "9"], ports: [{ containerPort: 80 }] }\n'
  t.same(ports(pod(run) + service('web')), [])
  t.same(
    ports(pod(`${run}    - { name: side, image: x, ports: [{ containerPort: 81 }] }\n`) + service('web')),
    [{ port: 81, protocol: 'TCP' }],
  )
  t.end()
})

t.test('sidecars count, other init containers do not', (t) => {
  const init = (policy: string) =>
    `  initContainers:\n    - { name: i, image: x, ports: [{ containerPort: 7000 }]${policy} }\n`
  const own = '    - { name: a, image: x }\n'
  t.same(ports(pod(own, init(', restartPolicy: Always'))), [{ port: 7000, protocol: 'TCP' }])
  t.same(ports(pod(own, init(''))), [])
  t.end()
})

t.test('liveness probes count, with a number of the pod; readiness probes do not', (t) => {
  const probed = (probe: string) => ports(pod(`    - { name: a, image: x, ${probe} }\n`))
  for (const handler of ['httpGet: { path: /healthz, port: 10254 }', 'tcpSocket: { port: 10254 }']) {
    t.same(probed(`livenessProbe: { ${handler} }`), [{ port: 10254, protocol: 'TCP' }])
    t.same(probed(`readinessProbe: { ${handler} }`), [])
    t.same(probed(`livenessProbe: { ${handler.replace('port', "host: '192.0.2.1', port")} }`), [])
  }
  t.same(probed('livenessProbe: { tcpSocket: { port: http } }'), [])
  t.end()
})

t.test('two containers of a pod on one port', (t) => {
  const two =
    '    - { name: a, image: x, ports: [{ containerPort: 80 }] }\n    - { name: b, image: x, ports: [{ containerPort: 80 }] }\n'
  t.same(
    refusals(() => cluster(pod(two))),
    [
      'a.yaml:7:53: containers "a" and "b" of Pod "web" both listen on TCP port 80; containers of a pod share its network; the first is at a.yaml:6:53',
    ],
  )
  t.equal(cluster(pod(two.replace('80 }] }\n    -', '80, protocol: UDP }] }\n    -'))).pods.length, 1)
  const twice =
    '    - { name: a, image: x, ports: [{ name: web, containerPort: 80 }, { name: api, containerPort: 80 }] }\n'
  t.equal(cluster(pod(twice)).pods.length, 1)
  t.end()
})

t.test('notices', (t) => {
  const built = cluster(
    service('web') +
      service('ok') +
      deployment(
        'ok',
        2,
        'affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: zone, labelSelector: {} } }] } }',
      ) +
      pod(
        '    - { name: a, image: x, ports: [{ containerPort: 80, hostPort: 8080 }] }\n',
        '  initContainers: [{ name: i, image: x }]\n',
      ).replaceAll('web', 'api'),
  )
  t.match(clusterNotices(built), [
    'Service default/web selects no pod (app=web): it has no endpoints',
    /^pods that declare no ports: the echo server listens on the target ports of their Services: default\/ok-/,
    'initContainers are not run: default/api',
    /^preferred affinity to pods and topologySpreadConstraints are ignored: default\/ok-[a-z0-9]+$/,
  ])
  const declared = '{ name: a, image: x, ports: [{ containerPort: 80 }] }'
  t.same(clusterNotices(cluster(service('ok') + deployment('ok', 1, '', declared))), [])
  t.end()
})
