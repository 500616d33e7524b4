import t from 'tap'
import { verifyLab, type VerifiedRequest } from '../../scripts/verifiedLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { startKernelTrace } from '../../src/host/trace/kernelTrace.js'
import { startRequestTracer } from '../../src/lab/trace/observedRequest.js'
import { withLab } from '../../src/lab/up/withLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import { observerTable } from '../../src/netfilter/trace/observer.js'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'
import { isFull, runs } from '../suite.js'

/** How many labs of each list run: in `npm test` the first alone. */
const most = runs(4, 1)

/** Labs with node ports, a tunnel, rejected packets, and steps that change rules. */
const labs = ['nodeport', 'pod-network-vxlan', 'no-endpoints', 'why-masquerade']

/** The same with the rules of mode nftables: maps, sets, random choices, session affinity. */
const nftLabs = ['nodeport', 'session-affinity', 'no-endpoints']

/** With iptables-legacy, also rules of other programs that end a chain without conditions. */
const legacyLabs = ['no-endpoints', 'nodeport', 'usual-suspects']

const verified = [
  ...labs
    .slice(0, most)
    .map((name) => ({ name, mode: 'iptables' as const, table: 'nat', iptables: undefined })),
  ...legacyLabs.slice(0, runs(3, 0)).map((name) => ({
    name,
    mode: 'iptables' as const,
    table: 'nat',
    iptables: 'legacy' as const,
  })),
  ...nftLabs
    .slice(0, runs(3, 0))
    .map((name) => ({ name, mode: 'nftables' as const, table: 'kube-proxy', iptables: undefined })),
]

for (const { name, mode, table, iptables } of verified) {
  const title = `the kernel’s trace of the lab ${name} in mode ${mode} is as predicted, iptables ${iptables ?? 'nft'}`
  t.test(title, { skip: cannotRun }, async (t) => {
    const seen: VerifiedRequest[] = []
    await withRunningLab(prepareLab(name, { mode }), { capture: false, iptables }, (running) =>
      verifyLab(running, (request) => seen.push(request)),
    )
    for (const { step, attempt, observed } of seen)
      t.strictSame(observed?.comparison.differences, [], `${step} (${attempt})`)
    const rules = seen.flatMap(({ observed }) =>
      (observed?.comparison.hops ?? []).flatMap((hop) => hop?.rules ?? []),
    )
    t.ok(
      rules.some((rule) => rule.table === table && rule.spec !== undefined),
      'rules were traced, and found in the lists of iptables-save or nft',
    )
  })
}

if (isFull)
  t.test('the ports of programs are those of their sockets', { skip: cannotRun }, async (t) => {
    const seen: VerifiedRequest[] = []
    await withRunningLab(prepareLab('ingress-tls'), { capture: false }, (running) =>
      verifyLab(running, (request) => seen.push(request)),
    )
    const toTls = seen.filter(({ observed }) =>
      observed?.prediction.paths.some(({ receiver }) => receiver?.socket.port?.first === 443),
    )
    t.ok(toTls.length > 0, 'requests that a program receives on its port for TLS')
    t.ok(
      toTls.some(({ observed }) =>
        observed?.comparison.relayed?.hops.some((hop) => hop?.end === 'delivered'),
      ),
      'the connections that the proxy opens are observed',
    )
    for (const { step, unpredicted, observed } of seen) {
      t.equal(unpredicted, undefined, step)
      t.strictSame(observed?.comparison.differences, [], step)
    }
  })

if (isFull)
  t.test(
    'a packet that the kernel does not route after DNAT is as predicted',
    { skip: cannotRun },
    async (t) => {
      const seen: VerifiedRequest[] = []
      await withRunningLab(prepareLab('nodeport-localhost'), { capture: false }, (running) =>
        verifyLab(running, (request) => seen.push(request)),
      )
      const lost = seen.find(({ step }) => step === 'The kernel no longer routes packets from 127.0.0.1')
      t.strictSame(lost?.observed?.comparison.differences, [])
      t.match(lost?.observed?.comparison.hops, [{ place: 'node-a', end: 'lost' }])
    },
  )

t.test('a trace goes on when the namespace of a pod is removed', { skip: cannotRun }, async (t) => {
  await withRunningLab(prepareLab('nodeport'), { capture: false }, async ({ sandbox, live }) => {
    const { topology } = live.state()
    const [gone] = topology.pods
    const tracer = await startRequestTracer(sandbox, topology)
    await sandbox.must('removing a pod', ['ip', 'netns', 'delete', gone?.netns ?? ''])
    await sandbox.must('a packet', ['ping', '-c', '1', '172.18.0.2'], { netns: 'client' })
    const hops = await tracer.hops()
    t.match(hops.get('client'), [{ place: 'client' }, { place: 'client' }], 'a request and its answer')
    t.strictSame(hops.get(gone?.netns ?? ''), [])
    await tracer.stop()
  })
})

t.test('traces of one lab at the same time take turns', { skip: cannotRun }, async (t) => {
  await withLab('nodeport', async (lab) => {
    // the kernel takes seconds to give up the first: beside it, the second would end earlier, and remove the tables of both
    const called = ['http://172.18.9.9/', 'http://{node-a}:30080/']
    const ended: string[] = []
    const all = await Promise.all(called.map((to) => lab.trace('client', to).finally(() => ended.push(to))))
    t.strictSame(ended, called)
    for (const { comparison } of all) t.strictSame(comparison.differences, [])
    const tables = await lab.exec('node-a', ['nft', 'list', 'tables'])
    t.notMatch(tables.stdout, observerTable)
  })
})

t.test('a trace whose listener has ended is an error', { skip: cannotRun }, async (t) => {
  await withRunningLab(prepareLab('nodeport'), { capture: false }, async ({ sandbox }) => {
    const places = ['node-a', 'node-b'].map((netns) => ({ place: netns, netns }))
    const options = { tracer: 'request', packets: 'first', backend: 'nft' } as const
    const trace = await startKernelTrace(sandbox, places, options)
    t.strictSame([...(await trace.take()).keys()], ['node-a', 'node-b'])
    const namedSocat = '[ "$(cat $one/comm)" = socat ] && kill -KILL ${one#/proc/}'
    await sandbox.run(['sh', '-c', `for one in /proc/[0-9]*; do ${namedSocat}; done`])
    await t.rejects(trace.take(), /tracing packets: `socat .*` in netns node-[ab] ended by itself/)
    await trace.stop()
  })
})

t.test(
  'a program that gets a datagram and does not answer is no difference',
  { skip: cannotRun },
  async (t) => {
    const folder = t.testdir({
      'lab.yaml': 'title: x\n',
      manifests: {
        'all.yaml': `apiVersion: v1
kind: Pod
metadata: { name: mute, labels: { app: mute } }
spec:
  nodeName: node-b
  containers:
    - name: c
      image: busybox
      command: [sh, -c, 'exec nc -u -l -k 9000 >/dev/null']
      ports: [{ containerPort: 9000, protocol: UDP }]
---
apiVersion: v1
kind: Service
metadata: { name: mute }
spec: { selector: { app: mute }, ports: [{ port: 53, targetPort: 9000, protocol: UDP }] }
`,
      },
    })
    const { code, stdout } = await vethlab(['trace', folder, 'node-a', '--udp', '{service/mute}:53'])
    t.equal(code, 0, stdout)
    t.match(stdout, /^✗ .* its packets pass as predicted, and the request\s+fails: timeout$/m)
    t.match(stdout, /^\? not known at mute: .* whether it answers is not known$/m)
    t.match(stdout, /^✔ as predicted: /m)
  },
)

const call = ['trace', 'nodeport', 'client', 'http://{node-a}:30080/']

t.test('trace explains a real request', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await vethlab(call)
  t.equal(code, 0)
  t.match(stdout, /KUBE-NODEPORTS 2 +✔ -p tcp --dport 30080/)
  t.match(stdout, /MASQUERADE src ⇒ 1[\d.]+:\d+ /, 'the port that the kernel chose')
  t.match(stdout, /the caller: HTTP 200/)
  t.match(stdout, /✔ as predicted: the kernel’s trace has the same \d+ rules/)
})

t.test('a difference from the prediction is an error that shows both', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await vethlab([...call, '--without', 'node-a KUBE-MARK-MASQ 1'])
  t.equal(code, 1)
  t.match(stdout, /✗ the kernel’s trace is not the predicted path: \d+ differences/)
  t.match(stdout, /kernel +PREROUTING nat KUBE-MARK-MASQ 1: -j MARK --set-xmark 0x4000\/0x4000/)
})

t.test('in mode nftables too', { skip: cannotRun }, async (t) => {
  const without = ['--mode', 'nftables', '--without', 'node-a masquerading 1']
  const { code, stdout } = await vethlab([...call, ...without])
  t.equal(code, 1)
  t.match(stdout, /kernel +POSTROUTING kube-proxy masquerading 1: meta mark & 0x00004000 != 0x00000000/)
})

t.test('both connections of kube-proxy in mode userspace', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await vethlab(['trace', 'userspace-proxy', 'caller', 'http://{web}/'])
  t.equal(code, 0)
  t.match(
    stdout,
    /▶ kube-proxy of node-a accepts the connection, and\s+opens its own to 10\.244\.\d\.\d:8080\n/,
  )
  t.match(stdout, /━ node-a {2}1[\d.]+:\d+ → 10\.244\.\d\.\d:8080/, 'the port that the kernel chose')
  t.match(stdout, /on \d hosts, of the\s+connections of proxies\s+too \(path \d of 3, probability 1\/3\)/)
})

t.test('the rules of nat are not evaluated for the second packet', { skip: cannotRun }, async (t) => {
  const { code, stdout } = await vethlab([...call, '--packet', 'second'])
  t.equal(code, 0)
  t.match(stdout, /━ node-a {2}in eth0 .* ACK\n/)
  t.match(stdout, /KUBE-FORWARD/, 'those of filter are')
  t.match(stdout, /CONNTRACK ESTABLISHED: dst ⇒ 10\.244\.\d\.2:80, src ⇒ /)
  t.match(stdout, /FORWARD filter\n {3}KUBE-FORWARD 3 +✔ --ctstate RELATED,ESTABLISHED → ACCEPT\n/)
  t.match(stdout, /✔ no rule of nat is evaluated/)
})

t.test(
  'JSON has the predicted paths, the observed hops and the differences',
  { skip: cannotRun },
  async (t) => {
    const { code, stdout } = await vethlab([...call, '--json'])
    t.equal(code, 0)
    const document = JSON.parse(stdout) as { readonly paths: readonly unknown[]; readonly path: number }
    t.match(document, {
      ...{ version: 1, lab: 'nodeport', from: 'client', outcome: 'HTTP 200', differences: [] },
      observed: [
        { place: 'client', end: 'left' },
        { place: 'node-a', state: 'NEW' },
      ],
    })
    t.equal(document.paths.length, 2)
    t.ok(document.path === 1 || document.path === 2)
  },
)
