import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { readPcapng } from '../packets/readPcapng.js'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab, start } from './commandLine.js'
import { isFull } from '../suite.js'

const nobody = 65534
const skip = { skip: cannotRun }

for (const backend of ['nft', 'legacy'])
  t.test(
    `the nodeport lab passes with ${backend}, and its document says what packets showed`,
    skip,
    async (t) => {
      const args = ['run', 'nodeport', '--iptables', backend, '--reporter', 'json']
      const { code, stdout, stderr } = await vethlab(args)
      t.equal(code, 0, `${stdout}${stderr}`)
      const result = JSON.parse(stdout) as LabResult
      t.equal(result.machine.backend, backend)
      t.ok(result.ok)
      const [first] = result.steps
      const [flow] = first?.flows ?? []
      t.match(flow, {
        protocol: 'tcp',
        source: { address: '172.18.1.2' },
        destination: { address: '172.18.0.2', port: 30080 },
        outcome: 'answered',
      })
      t.match(flow?.nat, [
        { kind: 'DNAT', netns: 'node-a', from: { address: '172.18.0.2', port: 30080 }, to: { port: 80 } },
        { kind: 'SNAT', netns: 'node-a', from: { address: '172.18.1.2' } },
      ])
      t.match(flow?.hops[0], { netns: 'client', interface: 'eth0', direction: 'out' })
      t.equal(
        flow?.replyHops.at(-1)?.source.address,
        '172.18.0.2',
        'the answer comes from the address called',
      )
      t.equal(result.topology.pods.length, 2)
    },
  )

t.test('the default output is short, and shows who is who', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await vethlab(['run', 'nodeport'])
  t.equal(code, 0, stdout)
  t.ok(stdout.split('\n').length < 60, `${stdout.split('\n').length} lines`)
  for (const word of [
    '172.18.0.2',
    '172.18.0.3',
    '172.18.1.2',
    '10.244.1.2',
    '10.244.2.2',
    'DNAT',
    'SNAT',
    'nodePort 30080',
  ]) {
    t.match(stdout, word)
  }
})

t.test(
  'the picture is in the language of the environment, or the requested one',
  { skip: cannotRun },
  async (t) => {
    const env = { LC_ALL: '', LC_MESSAGES: '', LANG: 'ko_KR.UTF-8' }
    const korean = await vethlab(['run', 'nodeport'], { env })
    t.equal(korean.code, 0, korean.stderr)
    t.match(korean.stdout, /^ +client .* 노드 네트워크 172\.18\.0\.0\/16$/m)
    t.match(korean.stdout, /^ {2}서비스 my-nodeport-service {2}NodePort /m)
  },
)

t.test(
  'without root it passes too',
  { skip: cannotRun || (process.getuid?.() !== 0 && 'is run without root already') },
  async (t) => {
    // whatever folder the checkout is in, another user can read this copy
    const copy = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
    t.teardown(() => rmSync(copy, { recursive: true, force: true }))
    for (const part of ['dist', 'labs', 'package.json']) cpSync(part, join(copy, part), { recursive: true })
    chmodSync(copy, 0o755)
    // tap asks every Node that is started to load a part of it, which the other user may not be able to read
    const argv = [
      '-u',
      'NODE_OPTIONS',
      process.execPath,
      join(copy, 'dist/cli.cjs'),
      'run',
      'nodeport',
      '--reporter',
      'json',
    ]
    const run = spawnSync('env', argv, {
      cwd: copy,
      uid: nobody,
      gid: nobody,
      encoding: 'utf8',
    })
    const { status: code, stdout, stderr } = run
    t.equal(code, 0, `${stdout}${stderr}`)
    t.equal((JSON.parse(stdout) as LabResult).machine.rootless, true)
  },
)

if (isFull)
  t.test('four runs side by side pass, with the same names and addresses', { skip: cannotRun }, async (t) => {
    const runs = Array.from({ length: 4 }, () => vethlab(['run', 'nodeport', '--reporter', 'json']))
    for (const { code, stdout, stderr } of await Promise.all(runs)) t.equal(code, 0, `${stdout}${stderr}`)
  })

t.test(
  'several labs in one run, with jobs: the one with the fewest steps starts last',
  { skip: cannotRun },
  async (t) => {
    const labs = ['selectorless', 'nodeport', 'iptables-basics'].map((lab) => copyOfLab(t, lab))
    const { code, stdout, stderr } = await vethlab(['run', ...labs, '--jobs', '2', '--reporter', 'json'])
    t.equal(code, 0, stderr)
    const result = JSON.parse(stdout) as { ok: boolean; labs: LabResult[] }
    const [fewestSteps = '', ...others] = labs.map((path) => basename(path))
    // in the order in which they started; the first two start at once, in any order
    const started = result.labs.map(({ lab }) => lab)
    t.equal(started.at(-1), fewestSteps)
    t.strictSame(started.slice(0, -1).sort(), others.sort())
  },
)

t.test(
  '--pcap, --output and --step, in a requested language, of a lab in a folder with spaces and signs',
  { skip: cannotRun },
  async (t) => {
    const folder = join(t.testdir(), `it's a "lab"; $(touch owned) & more`)
    mkdirSync(folder)
    symlinkSync(copyOfLab(t, 'nodeport'), join(folder, 'nodeport'))
    const [captures, file] = [join(folder, 'captures'), join(folder, 'report.tap')]
    const args = ['--pcap', captures, '--reporter', 'tap', '--output', file, '--step', '--lang', 'en']
    const env = { LC_ALL: '', LC_MESSAGES: '', LANG: 'ko_KR.UTF-8' }
    const input = '\n'.repeat(9)
    const { code, stdout, stderr } = await vethlab(['run', join(folder, 'nodeport'), ...args], { env, input })
    t.equal(code, 0, stderr)
    t.notOk(existsSync('owned'), 'the folder is only a folder')

    const { packets } = readPcapng(readFileSync(join(captures, 'nodeport.pcapng')))
    t.ok(packets.some(({ comment }) => comment?.includes(':30080 -> ')))

    t.match(readFileSync(file, 'utf8'), /^TAP version 14\n/)
    t.match(stdout, 'nodePort 30080', 'a person still sees the pretty report')
    t.match(stdout, /^ +client .* fabric 172\.18\.0\.0\/16$/m)
    t.equal(stderr.split('Enter for:').length - 1, 9, 'it waits for Enter before each step')
  },
)

t.test(
  'a check that fails makes exit code 1, and says what was expected and seen',
  { skip: cannotRun },
  async (t) => {
    const lab = copyOfLab(t, 'nodeport')
    const file = join(lab, 'lab.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('status: 200', 'status: 503'))
    const { code, stdout } = await vethlab(['run', lab])
    t.equal(code, 1)
    t.match(stdout, /expected\s+.*503/)
    t.match(stdout, /observed\s+.*200/)
  },
)

t.test('wrong input is refused before anything is built', { skip: cannotRun }, async (t) => {
  const good = copyOfLab(t, 'nodeport')
  const bad = copyOfLab(t, 'nodeport')
  const file = join(bad, 'lab.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('expect:', 'expct:'))
  const { code, stdout, stderr } = await vethlab(['run', good, bad])
  t.equal(code, 2)
  t.equal(stdout, '')
  t.match(stderr, /lab\.yaml:\d+:\d+: unknown field "expct" in step 1; did you mean "expect"\?/)
})

if (isFull)
  t.test('a lab may be reached by links in a folder that labs do not see', { skip: cannotRun }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vethlab-link-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    cpSync('labs/ingress-classes', join(folder, 'real/classes'), { recursive: true })
    symlinkSync('real', join(folder, 'first'))
    symlinkSync(join(folder, 'first/classes'), join(folder, 'second'))
    // one of its proxies is a program of the lab's folder
    const { code, stderr } = await vethlab(['run', join(folder, 'second')])
    t.equal(code, 0, stderr)
  })

t.test('containers with a command share their pod, and run as they are', { skip: cannotRun }, async (t) => {
  const lab = t.testdir({
    'lab.yaml': `
title: two containers
topology: { nodes: [node-a], clients: [] }
steps:
  - name: one container reaches the other over loopback
    from: two
    curl: http://127.0.0.1:8000/
    expect: { status: 200, body: { contains: hello from the first } }
  - name: what the environment says
    from: two
    curl: http://127.0.0.1:9000/
    expect: { status: 200 }
`,
    manifests: {
      'pod.yaml': `
apiVersion: v1
kind: Pod
metadata: { name: two }
spec:
  containers:
    - name: first
      image: node
      env: [{ name: WHO, value: the first }]
      command: [node, -e, "require('http').createServer((q, s) => s.end('hello from ' + process.argv[1])).listen(8000)", $(WHO)]
      ports: [{ containerPort: 8000 }]
    - name: second
      image: echo
      ports: [{ containerPort: 9000 }]
`,
    },
  })
  const { code, stdout, stderr } = await vethlab(['run', lab])
  t.equal(code, 0, `${stdout}${stderr}`)
})

t.test('a container that ends at once is reported with its output', { skip: cannotRun }, async (t) => {
  const lab = t.testdir({
    'lab.yaml': 'title: broken\ntopology: { nodes: [node-a] }\nsteps: []\n',
    manifests: {
      'pod.yaml': `
apiVersion: v1
kind: Pod
metadata: { name: broken }
spec:
  containers:
    - name: main
      image: x
      command: [sh, -c, 'echo no such luck >&2; exit 7']
      ports: [{ containerPort: 8000 }]
`,
    },
  })
  const { code, stdout, stderr } = await vethlab(['run', lab])
  t.equal(code, 1)
  t.match(stdout + stderr, 'no such luck')
  t.match(stdout + stderr, 'pod default/broken is not ready: container main ended with exit code 7')
})

t.test('a pipe that is closed early is no error', { skip: cannotRun }, async (t) => {
  const run = start(['list'])
  t.equal((await run.ended).code, 0)
})
