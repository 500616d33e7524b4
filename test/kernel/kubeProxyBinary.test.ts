import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { isKnownError } from '../../src/errors.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun, othersCannotRead } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'
import { machineState, pidNamespace, processesIn, processesWith } from './machineState.js'
import { vethlab } from './servedCommands.js'
import { isFull, runs } from '../suite.js'
import { until } from '../until.js'

const nobody = 65534
const isRoot = process.getuid?.() === 0

/** Runs the nodeport lab with a kube-proxy and returns its result. */
async function runWith(t: Test, binary: string, ...more: string[]): Promise<LabResult> {
  const args = ['run', 'nodeport', '--kube-proxy', binary, '--reporter', 'json', ...more]
  const { code, stdout, stderr } = await vethlab(args)
  t.equal(stderr, '')
  const result = JSON.parse(stdout) as LabResult
  t.equal(code, result.ok ? 0 : 1, stdout)
  return result
}

for (const [like, backend] of (
  [
    ['1.36', 'nft'],
    ['1.30', 'legacy'],
  ] as const
).slice(0, runs(2, 1))) {
  t.test(`a kube-proxy that asks as ${like} does, ${backend}`, { skip: cannotRun }, async (t) => {
    const make = await fakeKubeProxy(t)
    const result = await runWith(t, make(['--like', like]), '--iptables', backend)
    t.ok(result.ok, JSON.stringify(result.steps, undefined, 1))
    t.equal(result.machine.backend, backend)
  })
}

t.test(
  'without root',
  { skip: cannotRun || othersCannotRead || (!isRoot && 'the tests run without root') },
  async (t) => {
    const make = await fakeKubeProxy(t)
    const args = ['run', 'nodeport', '--kube-proxy', make(['--like', '1.36']), '--iptables', 'legacy']
    const { code, stdout, stderr } = await start([...args, '--reporter', 'json'], { uid: nobody }).ended
    t.equal(code, 0, `${stdout}${stderr}`)
    t.equal((JSON.parse(stdout) as LabResult).machine.rootless, true)
  },
)

t.test('the rules are the binary’s: what it leaves out is missed', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const result = await runWith(t, make(['--without', '--dport 30080']))
  t.notOk(result.ok)
  const failed = result.steps.flatMap(({ checks }) => checks.filter(({ ok }) => !ok))
  t.ok(failed.length > 0, 'no rule, no answer')
  t.notOk(result.error)
})

t.test('a kube-proxy that ends', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const before = machineState()
  const atOnce = await runWith(t, make(['--ends', 'at once']))
  t.match(atOnce.error, /^kube-proxy of node-[ab] ended: .* in netns node-[ab] exited with 1\n/)
  t.match(atOnce.error, 'the fake was configured to exit', 'the end of its log is reported')
  t.strictSame(machineState(), before)
})

t.test('a kube-proxy that ends between the steps', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(
    join(lab, 'lab.yaml'),
    'steps:\n  - name: Some time passes\n    command: [sleep, "2"]\n    expect: { exitCode: 0 }\n',
  )
  const binary = make(['--ends', 'later'])
  const { code, stdout } = await vethlab(['run', lab, '--kube-proxy', binary, '--reporter', 'json'])
  t.equal(code, 1)
  t.match((JSON.parse(stdout) as LabResult).error, /ended.*exited with 3\n[^]*configured to exit later/)
})

t.test('a kube-proxy that never gets there', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  const prepared = prepareLab(lab, { kubeProxyBinary: make(['--idle']) })
  const errorAfter = (kubeProxyPatienceMs: number) =>
    withRunningLab(prepared, { kubeProxyPatienceMs, capture: false }, () => Promise.resolve()).catch(
      (thrown: unknown) => thrown,
    )
  // On a busy host the fake may need more time before it answers at all.
  let error: unknown
  for (const patienceMs of [1500, 15_000, 60_000]) {
    error = await errorAfter(patienceMs)
    if (!String(error).includes('healthz is not answered')) break
  }
  t.ok(isKnownError(error), String(error))
  t.match(
    error,
    /^CommandError: kube-proxy of node-[ab]: `.*kube-proxy-\d --config .*` in netns node-[ab] is not ready after [\d.]+ s: the kernel has nothing for 10\.96\.1\.1:80\/tcp/,
  )
  t.strictSame(processesWith(basename(lab)), [])
})

t.test('lab.yaml can name the binary, from its own folder on', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  const file = join(lab, 'lab.yaml')
  const wrapper = join(lab, 'kube-proxy')
  writeFileSync(wrapper, readFileSync(make(['--like', '1.30'])), { mode: 0o755 })
  writeFileSync(file, `kubeProxyBinary: ./kube-proxy\n${readFileSync(file, 'utf8')}`)
  const { code, stdout } = await vethlab(['run', lab])
  t.equal(code, 0, stdout)

  const plan = await vethlab(['plan', lab])
  t.match(plan.stdout, `$ ${wrapper} --config /run/vethlab/kube-proxy/node-a.yaml`)
  t.match(plan.stdout, 'hostnameOverride: node-b')
  t.match(plan.stdout, 'pods leave the cluster masqueraded', 'what a CNI plugin adds is still vethlab’s')
  t.notMatch(plan.stdout, /KUBE-SERVICES|tcp_timeout_close_wait = 3600|route_localnet = 1|nfacct/)
})

for (const like of (['1.36', '1.30'] as const).slice(0, runs(2, 1))) {
  t.test(
    `steps wait until a slow kube-proxy like ${like} has followed a change`,
    { skip: cannotRun },
    async (t) => {
      const make = await fakeKubeProxy(t)
      const lab = copyOfLab(t, 'nodeport')
      const ports = '[{ port: 80, targetPort: 80, nodePort: 30099 }]'
      const patch = `patch: { object: service/my-nodeport-service, with: { spec: { ports: ${ports} } } }`
      writeFileSync(
        join(lab, 'lab.yaml'),
        `steps:
  - name: Another node port
    ${patch}
  - name: It answers
    curl: http://{node-a}:30099/
    expect: { status: 200 }
  - name: The old one does not
    curl: http://{node-a}:30080/
    expect: { fails: refused }
  - name: kube-proxy starts again
    restart: kube-proxy
  - name: It still answers
    curl: http://{node-a}:30099/
    expect: { status: 200 }
`,
      )
      const binary = make(['--like', like], ['--delay', '1500'])
      const { code, stdout, stderr } = await vethlab(['run', lab, '--kube-proxy', binary])
      t.equal(code, 0, `${stdout}${stderr}`)
      t.match(stdout, 'kube-proxy on node-b restarted')
    },
  )
}

t.test('why a request fails is decided with the rules in the kernel', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  const drop = ['iptables', '-I', 'FORWARD', '-p', 'tcp', '-j', 'DROP']
  writeFileSync(
    join(lab, 'lab.yaml'),
    `steps:
  - name: Another program drops what node-a forwards
    from: node-a
    command: ${JSON.stringify(drop)}
  - name: The rule is named
    curl: { url: 'http://{node-a}:30080/', timeout: 2s } # short on purpose: the rule drops it
    expect:
      fails: timeout
      why: { rule: { chain: FORWARD, contains: DROP, at: node-a } }
`,
  )
  const binary = make(['--like', '1.36'])
  const { code, stdout, stderr } = await vethlab(['run', lab, '--kube-proxy', binary])
  t.equal(code, 0, `${stdout}${stderr}`)
})

t.test('a binary that cannot be run is wrong input', async (t) => {
  const missing = await vethlab(['run', 'nodeport', '--kube-proxy', './no-such-kube-proxy'])
  t.equal(missing.code, 2)
  t.match(missing.stderr, /--kube-proxy <path>.*no-such-kube-proxy.*It does not exist/)
  const folder = t.testdir({ file: 'not a program' })
  const plain = await vethlab(['up', 'nodeport', '--kube-proxy', join(folder, 'file')])
  t.equal(plain.code, 2)
  t.match(plain.stderr, 'is not executable')
  t.match((await vethlab(['up', 'nodeport', '--kube-proxy', folder])).stderr, 'It is not a file')

  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(join(lab, 'lab.yaml'), 'title: Mine\nkubeProxyBinary: ./kube-proxy\n')
  const named = await vethlab(['run', lab])
  t.equal(named.code, 2)
  t.match(
    named.stderr,
    /lab\.yaml:2:18: "kubeProxyBinary" does not exist: "\.\/kube-proxy"; paths start from/,
  )
})

if (isFull)
  t.test('a run killed while kube-proxies start leaves nothing behind', { skip: cannotRun }, async (t) => {
    const make = await fakeKubeProxy(t)
    const before = machineState()
    const lab = copyOfLab(t, 'nodeport')
    const binary = make(['--idle'])
    for (const word of ['serve-api', '/run/vethlab/kube-proxy/node-b.yaml']) {
      const run = start(['run', lab, '--kube-proxy', binary])
      let namespace: string | undefined
      // read once: while the first process becomes the shell, its command line is empty for a moment
      const stands = () => {
        const namespaces = processesWith(basename(lab)).map(pidNamespace)
        namespace = namespaces.find((one) => one !== undefined && one !== pidNamespace(process.pid))
        return namespace !== undefined
      }
      t.ok(await until(stands), 'the sandbox stands')
      const inside = () => processesWith(word).filter((pid) => pidNamespace(pid) === namespace)
      t.ok(await until(() => inside().length > 0), `${word} runs in it`)
      run.kill('SIGKILL')
      await run.ended
      t.ok(await until(() => processesIn(namespace ?? '').length === 0), `killed then, all are gone`)
      t.strictSame(processesWith(binary), [])
    }
    t.strictSame(machineState(), before)
  })
