import t from 'tap'
import { isReady } from '../../src/cluster/pods/podFacts.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

/** A server of gRPC's health protocol that serves `shop` and nothing else. */
const server = `
const server = require('node:http2').createServer()
server.on('stream', (stream, headers) => {
  const parts = []
  stream.on('data', (part) => parts.push(part))
  stream.on('end', () => {
    const asked = Buffer.concat(parts).subarray(7).toString()
    const known = headers[':path'] === '/grpc.health.v1.Health/Check'
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, known && asked === 'shop' ? 1 : 2]))
  })
})
server.listen(9000)
`

function pod(name: string, service: string, command = true): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'node',
          ...(command ? { command: [process.execPath, '-e', server] } : {}),
          ports: [{ containerPort: 9000 }],
          readinessProbe: { grpc: { port: 9000, service }, timeoutSeconds: 60, failureThreshold: 1 },
        },
      ],
    },
  })
}

t.test('a gRPC probe asks for the health of its service', { skip: cannotRun }, async (t) => {
  const text = [pod('serves', 'shop'), pod('other', 'bank'), pod('echo', 'shop', false)].join('\n---\n')
  const cwd = t.testdir({ lab: { 'lab.yaml': 'title: gRPC\n', manifests: { 'a.yaml': text } } })
  const prepared = prepareLab('lab', { cwd })
  t.strictSame(prepared.notices, [
    'probes of containers that the echo server replaces always pass if they need gRPC, TLS or a program of the image: default/echo',
  ])
  const lab = await startLab(t, prepared, { capture: false, label: 'grpc' })
  const ready = lab.live.state().cluster.pods.filter(isReady)
  t.strictSame(ready.map(({ metadata }) => metadata.name).sort(), ['echo', 'serves'])
})
