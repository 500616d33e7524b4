import { spawnSync } from 'node:child_process'
import t from 'tap'
import { cannotRun } from './ability.js'
import { start } from './commandLine.js'
import { inLab } from './inLab.js'
import { vethlab } from './servedCommands.js'
import { until } from '../../src/host/until.js'

const noKubectl = spawnSync('kubectl', ['version', '--client']).error !== undefined
const skip = cannotRun || (noKubectl && 'no kubectl on this machine')

const manifests = `
apiVersion: v1
kind: Pod
metadata: { name: shell, labels: { app: shell } }
spec:
  containers:
    - name: shell
      image: debian
      command: [sh, -c, 'echo started; echo oops >&2; while sleep 0.1; do echo again; done']
      env: [{ name: GREETING, value: hello }]
    - name: beside
      image: debian
      command: [sh, -c, 'hostname; exec sleep infinity']
---
apiVersion: v1
kind: Pod
metadata: { name: echo, labels: { app: echo } }
spec: { containers: [{ name: echo, image: registry.k8s.io/echoserver, ports: [{ containerPort: 8080 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: echo }
spec: { selector: { app: echo }, ports: [{ port: 80, targetPort: 8080 }] }
`

t.test('kubectl reads the logs of pods, and what the API shows beside the lab', { skip }, async (t) => {
  const cwd = t.testdir({ 'logs-lab': { 'lab.yaml': 'title: logs\n', manifests: { 'a.yaml': manifests } } })
  t.equal((await vethlab(['up', 'logs-lab'], { cwd })).code, 0)
  t.teardown(() => vethlab(['down', 'logs-lab']))
  const kubectl = (...words: string[]) => inLab('logs-lab', 'node-a', ['kubectl', ...words])

  const first = await kubectl('logs', 'shell', '-c', 'shell', '--limit-bytes=13')
  t.equal(first.stdout, 'started\noops\n', first.stderr)
  t.match((await kubectl('logs', 'shell', '-c', 'shell', '--tail=1')).stdout, /^again\n$/)
  const timesOf = async (...words: string[]) => {
    const { stdout } = await kubectl('logs', 'shell', '-c', 'shell', '--timestamps', ...words)
    return stdout.split('\n').flatMap((line) => /^(\S+)Z again$/.exec(line)?.[1] ?? [])
  }
  t.ok(await until(async () => new Set(await timesOf()).size > 3, { patienceMs: 60_000 }), 'of each write')
  const times = await timesOf()
  t.same(times, times.toSorted())
  const [later = ''] = times.slice(-1)
  const since = await timesOf(`--since-time=${later}Z`)
  t.ok(since.length > 0 && since.every((time) => time >= later.slice(0, 19)), since.join())
  t.equal((await kubectl('logs', 'shell', '-c', 'beside')).stdout, 'shell\n')
  t.equal((await kubectl('logs', 'echo')).stdout, '')
  t.equal((await kubectl('exec', 'echo', '--', 'hostname')).stdout, 'echo\n')
  for (const place of ['echo', 'node-a', 'client'])
    t.equal((await vethlab(['exec', 'logs-lab', place, '--', 'hostname'])).stdout, `${place}\n`)

  const proxied = await kubectl('get', '--raw', '/api/v1/namespaces/default/services/echo:80/proxy/')
  t.match(
    proxied.stdout,
    /"client":"(10\.244\.\d\.1|172\.18\.0\.2):\d+"/,
    'from a node, whichever the pod is on',
  )
  t.match(
    (await kubectl('get', '--raw', '/api/v1/namespaces/default/pods/echo/proxy/')).stdout,
    /"pod":"echo"/,
  )
  const refused = await kubectl('get', '--raw', '/api/v1/namespaces/default/pods/echo:81/proxy/')
  t.match(refused.stderr, /dial tcp 10\.244\.\d\.\d:81: connect: connection refused/)
  t.match((await kubectl('get', 'endpoints', 'echo', '--no-headers')).stdout, /^echo +10\.244\.\d\.\d:8080 /)
  t.match((await kubectl('get', 'leases', '-A', '--no-headers')).stdout, /^kube-node-lease +node-a +node-a /)
  t.match((await kubectl('explain', 'pod.spec.containers')).stdout, /<\[\]Container>/)

  const run = await kubectl('exec', 'shell', '-c', 'beside', '--', 'sh', '-c', 'hostname; exit 3')
  t.equal(run.stdout, 'shell\n', run.stderr)
  t.match(run.stderr, /command terminated with exit code 3/)
  const greeting = await kubectl('exec', 'shell', '-c', 'shell', '--', 'sh', '-c', 'echo $GREETING')
  t.equal(greeting.stdout, 'hello\n', greeting.stderr)
  const address = await kubectl('exec', 'echo', '--', 'hostname', '-I')
  t.match(address.stdout, /^10\.244\.\d\.\d/, address.stderr)
  const inner = await kubectl('exec', 'echo', '--', 'cat', '/proc/1/root/etc/hostname')
  t.match(inner.stderr, /Permission denied/, 'it is confined like every command of a pod')

  const input =
    'printf "echo read\\nexit 3\\n" | kubectl run input -i --rm --restart=Never --image=x --command -- sh'
  const piped = await inLab('logs-lab', 'node-a', ['sh', '-c', input])
  t.match(piped.stdout, /^read$/m, piped.stderr)
  t.equal(piped.exitCode, 3)

  const onNode = ['exec', 'logs-lab', 'node-a', '--', 'kubectl']
  const forwarding = start([...onNode, 'port-forward', 'svc/echo', '18080:80'])
  await forwarding.says('Forwarding from 127.0.0.1:18080 -> 8080')
  const forwarded = await inLab('logs-lab', 'node-a', ['curl', '-sS', 'http://127.0.0.1:18080/'])
  t.match(forwarded.stdout, /echo/, forwarded.stderr)
  t.match((await kubectl('exec', 'echo', '--', 'curl', '-s', 'http://127.0.0.1:8080/')).stdout, /echo/)
  forwarding.kill('SIGTERM')
  await forwarding.ended

  const following = start([...onNode, 'logs', '-f', 'shell', '-c', 'shell'])
  await following.says('again')
  t.equal((await vethlab(['delete', 'logs-lab', 'pod', 'shell', '--grace-period', '1'])).code, 0)
  const { code, stdout } = await following.ended
  t.equal(code, 0, 'it ends with its pod')
  t.match(stdout, /^started\noops\nagain\n/)
})
