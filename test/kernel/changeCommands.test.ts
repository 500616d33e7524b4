import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { machineState } from './machineState.js'
import { vethlab } from './servedCommands.js'

async function up(t: Test): Promise<string> {
  const lab = copyOfLab(t, 'nodeport')
  const { code, stderr } = await vethlab(['up', lab])
  t.equal(code, 0, stderr)
  const name = basename(lab)
  t.teardown(() => vethlab(['down', name]))
  return name
}

/** The standard output of a command that succeeds, as lines. */
async function lines(t: Test, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await vethlab([...args])
  t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return stdout.trimEnd().split('\n')
}

const extra = `apiVersion: v1
kind: Service
metadata: { name: second }
spec: { type: NodePort, selector: { app: my-app }, ports: [{ port: 80, nodePort: 30081 }] }
`

t.test('a lab that is up is changed as with kubectl', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const lab = await up(t)
  const file = join(t.testdir({ 'second.yaml': extra }), 'second.yaml')

  t.strictSame(await lines(t, ['kubectl', '--built-in', lab, 'apply', '-f', file]), [
    'service/second created',
  ])
  t.strictSame(await lines(t, ['kubectl', '--built-in', lab, 'apply', '-f', file]), [
    'service/second unchanged',
  ])
  const route =
    'apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: { name: none }\nspec: {}\n'
  const mixed = join(t.testdir({ 'mixed.yaml': `${extra}---\n${route}` }), 'mixed.yaml')
  const refused = await vethlab(['kubectl', '--built-in', lab, 'apply', '-f', mixed])
  t.equal(refused.code, 2)
  t.match(refused.stderr, /TCPRoute .*`--ignore TCPRoute` skips it/)
  t.match(
    (await lines(t, ['kubectl', '--built-in', lab, 'apply', '-f', mixed, '--ignore', 'TCPRoute'])).join('\n'),
    /^service\/second unchanged$/m,
  )
  const ask = ['exec', lab, 'client', '--', 'curl', '-s', '-m', '30', '-o', '/dev/null', '-w', '%{http_code}']
  t.strictSame(await lines(t, [...ask, 'http://172.18.0.3:30081/']), ['200'])
  t.match(await lines(t, ['rules', lab, 'node-a']), [/./], 'rules still explains')
  t.ok((await lines(t, ['rules', lab, 'node-a'])).some((line) => line.includes('second')))

  t.strictSame(
    await lines(t, ['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '4']),
    ['deployment.apps/my-app scaled'],
  )
  const pods = await lines(t, ['kubectl', '--built-in', lab, 'get', 'pods', '-o', 'name'])
  t.equal(pods.length, 4)
  t.match(await lines(t, ['kubectl', '--built-in', lab, 'get', 'pods']), [
    /^NAME +READY +STATUS +RESTARTS +AGE$/,
  ])
  const [first = ''] = pods
  t.strictSame(await lines(t, ['exec', lab, first.slice(4), '--', 'true']), [''], 'a new pod can be entered')

  t.strictSame(await lines(t, ['kubectl', '--built-in', lab, 'label', '--overwrite', first, 'app=out']), [
    `${first} labeled`,
  ])
  t.equal(
    (await lines(t, ['kubectl', '--built-in', lab, 'get', 'pods', '-l', 'app=my-app', '-o', 'name'])).length,
    4,
    'another was made',
  )
  t.equal((await lines(t, ['kubectl', '--built-in', lab, 'get', 'pods', '-o', 'name'])).length, 5)

  const patch = '{spec: {externalTrafficPolicy: Local}}'
  t.strictSame(await lines(t, ['kubectl', '--built-in', lab, 'patch', 'service/second', '-p', patch]), [
    'service/second patched',
  ])
  const service = parse(
    (await lines(t, ['kubectl', '--built-in', lab, 'get', 'svc', 'second', '-o', 'yaml'])).join('\n'),
  ) as {
    metadata: { managedFields: { manager: string }[] }
    spec: { externalTrafficPolicy: string; ports: { nodePort: number }[] }
  }
  const managers = service.metadata.managedFields.map(({ manager }) => manager)
  t.strictSame(managers, ['kubectl-client-side-apply', 'kubectl-patch'])
  t.equal(service.spec.externalTrafficPolicy, 'Local')
  t.equal(service.spec.ports[0]?.nodePort, 30081)
  t.match(await lines(t, ['kubectl', '--built-in', lab, 'get', 'svc/second', 'node/node-a']), [
    /^NAME +TYPE/,
    /^service\/second +NodePort/,
    '',
    /^NAME +STATUS/,
    /^node\/node-a +Ready/,
  ])
  const described = await lines(t, ['kubectl', '--built-in', lab, 'describe', 'svc/second'])
  t.match(described, [/^Name: +second$/, /^Namespace: +default$/])
  t.match(described.join('\n'), /^External Traffic Policy: +Local$/m)
  t.match(described.join('\n'), /^Endpoints: +10\.244\.\d\.\d+:\d+,/m)
  t.match(
    await lines(t, ['kubectl', '--built-in', lab, 'get', 'svc/second', '--show-labels', '-o', 'wide']),
    [/^NAME .* SELECTOR +LABELS$/, /^second .* <none>$/],
  )
  t.equal(described.at(-1), 'Events:  <none>')
  t.ok(
    (await lines(t, ['kubectl', '--built-in', lab, 'describe', 'pods'])).filter((line) =>
      line.startsWith('Name: '),
    ).length >= 5,
  )

  await lines(t, ['kubectl', '--built-in', lab, 'rollout', 'restart', 'deployment/my-app'])
  const renewed = await lines(t, [
    'kubectl',
    '--built-in',
    lab,
    'get',
    'pods',
    '-l',
    'app=my-app',
    '-o',
    'name',
  ])
  t.equal(renewed.length, 4)
  t.strictSame(
    renewed.filter((pod) => pods.includes(pod)),
    [],
    'all are new',
  )
  t.strictSame(await lines(t, ['restart', lab, 'kube-proxy/node-b', 'kube-proxy/node-a']), [
    'kube-proxy on node-b restarted',
    'kube-proxy on node-a restarted',
  ])
  await lines(t, ['node', lab, 'node-b', 'down'])
  // the node has no link: the request times out
  const hurried = ask.map((word) => (word === '30' ? '2' : word))
  t.match((await vethlab([...hurried, 'http://172.18.0.3:30080/'])).code, 28)
  t.ok(
    (await lines(t, ['kubectl', '--built-in', lab, 'get', 'nodes'])).some((line) =>
      /^node-b +NotReady/.test(line),
    ),
  )
  const why = await vethlab(['why', lab, 'client', 'http://172.18.0.3:30080/'])
  t.match(
    why.stdout,
    `✔ predicted to pass\n           vethlab node ${lab} node-b up\n`,
    'not a command on the fabric',
  )
  await lines(t, ['node', lab, 'node-b', 'up'])
  t.strictSame(await lines(t, [...ask, 'http://172.18.0.3:30080/']), ['200'])

  await lines(t, ['kubectl', '--built-in', lab, 'delete', 'service', 'second'])
  t.equal((await vethlab([...ask, 'http://172.18.0.3:30081/'])).code, 7, 'refused again')
  await lines(t, ['down', lab])
  t.strictSame(machineState(), before)
})

t.test('what cannot be is refused in the words of the API server', { skip: cannotRun }, async (t) => {
  const lab = await up(t)
  const taken = extra.replace('30081', '30080')
  const file = join(
    t.testdir({ 'taken.yaml': taken, 'wrong.yaml': taken.replace('ports:', 'portz:') }),
    'taken.yaml',
  )
  const refusals: [string[], RegExp][] = [
    [
      ['kubectl', '--built-in', lab, 'apply', '-f', file],
      /Invalid value: 30080: provided port is already allocated/,
    ],
    [
      ['kubectl', '--built-in', lab, 'apply', '-f', file.replace('taken', 'wrong')],
      /wrong\.yaml:\d+:\d+: .*portz/,
    ],
    [
      ['kubectl', '--built-in', lab, 'scale', 'deployment/nobody', '--replicas', '1'],
      /deployments\.apps "nobody" not found/,
    ],
    [
      ['kubectl', '--built-in', lab, 'scale', 'service/my-nodeport-service', '--replicas', '1'],
      /cannot be scaled/,
    ],
    [['kubectl', '--built-in', lab, 'delete', 'pudding/x'], /pudding/],
    [['kubectl', '--built-in', lab, 'delete', 'pod/nobody'], /pods "nobody" not found/],
    [
      ['kubectl', '--built-in', lab, 'patch', 'service/my-nodeport-service', '-p', '[1]'],
      /a patch is a mapping/,
    ],
    [['node', lab, 'node-z', 'down'], /no node named "node-z"/],
    [['kubectl', '--built-in', lab, 'get', 'puddings'], /doesn't have a resource type "puddings"/],
    [['kubectl', '--built-in', lab, 'get', 'pod', 'nobody'], /pods "nobody" not found/],
    [['kubectl', '--built-in', lab, 'describe', 'pod', 'nobody'], /pods "nobody" not found/],
    [['kubectl', '--built-in', lab, 'describe', 'pod/nobody/more'], /"pod\/nobody\/more" names no object/],
    [['apply', 'no-such-lab', '-f', file], /is not running/],
  ]
  for (const [args, message] of refusals) {
    const { code, stderr } = await vethlab(args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.notMatch(stderr, /\bat .*:\d+:\d+\)/, 'no stack trace')
  }
})

t.test('up --watch applies manifests as they are edited', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const lab = copyOfLab(t, 'nodeport')
  const watching = start(['up', lab, '--watch'])
  t.teardown(() => vethlab(['down', basename(lab)]))
  await watching.says('watching its manifests')
  const file = join(lab, 'manifests/app.yaml')
  const original = readFileSync(file, 'utf8')
  appendFileSync(file, `---\n${extra}`)
  await watching.says('service/second created')
  writeFileSync(file, original.replace('replicas: 2', 'replicas: nonsense'))
  await watching.says('spec.replicas')
  writeFileSync(file, original)
  await watching.says('service "second" deleted')
  watching.kill('SIGINT')
  await watching.ended
  t.match(await lines(t, ['ps']), [/./], 'the lab stays up')
  await lines(t, ['down', basename(lab)])
  t.strictSame(machineState(), before)
})
