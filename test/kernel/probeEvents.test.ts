import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

/** A pod whose probe fails once before the test ends. */
function pod(
  name: string,
  probe: object,
  { command, ...spec }: { command?: string[]; restartPolicy?: string } = {},
): string {
  const slow = { timeoutSeconds: 60, periodSeconds: 3600, failureThreshold: 1 }
  const containers = [
    { name: 'web', image: 'x', command, ports: [{ containerPort: 80 }], ...probes(probe, slow) },
  ]
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, containers } })
}

function probes({ live, ...probe }: { live?: boolean }, slow: object): object {
  return { [live === true ? 'livenessProbe' : 'readinessProbe']: { ...probe, ...slow } }
}

t.test('kubelets report what failed in a probe', { skip: cannotRun }, async (t) => {
  const text = [
    pod('closed', { httpGet: { path: '/ready', port: 81 } }),
    pod('tcp', { tcpSocket: { port: 81 } }),
    pod('exec', { exec: { command: ['sh', '-c', 'echo not yet; exit 1'] } }),
    // of another address: the echo server listens on the ports of its own liveness probes
    pod('live', { live: true, tcpSocket: { host: '127.0.0.1', port: 81 } }),
    pod('once', { live: true, tcpSocket: { host: '127.0.0.1', port: 81 } }, { restartPolicy: 'Never' }),
    pod(
      'sleeps',
      { live: true, tcpSocket: { port: 81 } },
      { restartPolicy: 'Never', command: ['sleep', '600'] },
    ),
  ].join('\n---\n')
  const cwd = t.testdir({ lab: { 'lab.yaml': 'title: probes\n', manifests: { 'a.yaml': text } } })
  const lab = await startLab(t, prepareLab('lab', { cwd }), { capture: false, label: 'probes' })
  const reported = () =>
    (lab.live.state().cluster.events?.events ?? [])
      .filter(({ reason }) => ['Unhealthy', 'Killing'].includes(reason))
      .map(({ involvedObject: { name }, type, message }) => `${name}: ${type} ${message}`)
      .map((line) => line.replace(/10\.244\.\d+\.\d+/g, 'IP'))
  await until(() => reported().length >= 9)
  t.same(reported().sort(), [
    'closed: Warning Readiness probe failed: Get "http://IP:81/ready": dial tcp IP:81: connect: connection refused',
    'exec: Warning Readiness probe failed: not yet\n',
    'live: Normal Container web failed liveness probe, will be restarted',
    'live: Warning Liveness probe failed: dial tcp 127.0.0.1:81: connect: connection refused',
    'once: Normal Container web failed liveness probe',
    'once: Warning Liveness probe failed: dial tcp 127.0.0.1:81: connect: connection refused',
    'sleeps: Normal Container web failed liveness probe',
    'sleeps: Warning Liveness probe failed: dial tcp IP:81: connect: connection refused',
    'tcp: Warning Readiness probe failed: dial tcp IP:81: connect: connection refused',
  ])
  const phases = () =>
    lab.live
      .state()
      .cluster.pods.filter(({ metadata: { name } }) => ['once', 'sleeps'].includes(name))
      .map(({ metadata: { name }, status }) => `${name} ${status?.phase}`)
  await until(() => phases().every((one) => !one.endsWith('Running')))
  t.same(phases().sort(), ['once Succeeded', 'sleeps Failed'], 'restartPolicy Never')
})
