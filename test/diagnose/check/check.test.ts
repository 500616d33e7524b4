import t from 'tap'
import { check } from '../../../src/diagnose/check/check.js'
import { verdictOf } from '../../../src/diagnose/check/types.js'
import { checkText } from '../../../src/diagnose/check/checkText.js'
import { createColours } from '../../../src/text/colour.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'

const modes = ['iptables', 'nftables', 'ipvs', 'userspace'] as const
const healthy = [
  ...['nodeport', 'clusterip', 'session-affinity'].flatMap((lab) => modes.map((mode) => ({ lab, mode }))),
  ...['loadbalancer', 'ingress', 'gateway', 'pod-network', 'topology'].map((lab) => ({
    lab,
    mode: undefined,
  })),
]

for (const { lab, mode } of healthy)
  t.test(`the lab ${lab} is healthy in mode ${mode ?? 'iptables'}`, async (t) => {
    const { findings, asked, passed, unknown } = check(planSnapshot(lab, { mode }))
    // manifests may have deprecated fields
    const others = findings.filter(({ code }) => code !== 'api-warning')
    t.strictSame(others, [])
    t.ok(passed > 0, 'requests pass')
    t.equal(passed + unknown.length, asked, 'and the others are not decided')
  })

const faults: readonly { readonly exercise: string; readonly says: RegExp }[] = [
  { exercise: 'nobody-home', says: /app=shopp of its selector; pod default\/shop-\S+ has app=shop/ },
  { exercise: 'one-node-only', says: /externalTrafficPolicy is Local, and no ready pod .* on node-a/ },
  { exercise: 'waiting-room', says: /readinessProbe .* nothing listens on port 8081, the pod listens on 80/ },
  { exercise: 'every-other', says: /no route to 10\.244\.2\.0\/24, the pods of node-b/ },
  { exercise: 'way-back', says: /rp_filter of node-a is 1/ },
  { exercise: 'island', says: /net\.ipv4\.ip_forward of node-b is 0/ },
  { exercise: 'empty-address', says: /10\.96\.0\.1 is in the range of cluster IPs, and no Service has it/ },
]

/** Those with which no request of `check` fails: it gets another answer, or is one of a certain sender. */
const otherFaults: readonly { readonly exercise: string; readonly says: RegExp; readonly note?: true }[] = [
  {
    exercise: 'mistaken-identity',
    says: /on node-a, node-b has clusterCIDR 10\.32\.0\.0\/12, .* pods there \(\S+ of default\/caller, \S+ of default\/shop\)/,
  },
  {
    exercise: 'silent-datagrams',
    says: /172\.18\.1\.2:5300 → 172\.18\.0\.2:30053 to 10\.244\.2\.77, which is no endpoint/,
  },
  {
    exercise: 'two-owners',
    says: /port 30080 .* node port of Service default\/shop, and pod default\/agent/,
  },
  { exercise: 'turned-away', says: /203\.0\.113\.0\/24, 198\.51\.100\.0\/28\) leave out branch/, note: true },
]

for (const { exercise, says } of faults)
  t.test(`the fault of the exercise ${exercise} is named`, async (t) => {
    const { findings } = check(planSnapshot(exercise))
    const found = findings.find((finding) => says.test(finding.says))
    t.ok(found, findings.map((finding) => finding.says).join('\n'))
    t.not(found?.affects.length, 0, 'with the requests that fail by it')
  })

for (const { exercise, says, note } of otherFaults)
  t.test(`the fault of the exercise ${exercise} is named`, async (t) => {
    const { findings } = check(planSnapshot(exercise))
    t.match(findings, [{ says, note }])
    t.equal(findings.length, 1)
  })

t.test('the fault of the exercise wrong-door is named where the sockets are known', async (t) => {
  const snapshot = planSnapshot('wrong-door')
  const { programs, listeners } = snapshot.state
  const [netns = ''] = [...programs].find(([, name]) => name.includes('admin')) ?? []
  const local = { netns, protocol: 'tcp', port: 8080, address: '127.0.0.1', name: 'nc' } as const
  const without = new Map([...programs].filter(([place]) => place !== netns))
  const state = { ...snapshot.state, programs: without, listeners: [...listeners, local] }
  t.match(check({ ...snapshot, state }).findings, [{ code: 'targetport-unserved', says: /8080/ }])
})

t.test('connection tracking near its limit is a finding', async (t) => {
  const snapshot = planSnapshot('nodeport')
  const counted = (count: number) => {
    const sysctls = new Map(snapshot.state.sysctls)
    const own = { 'net.netfilter.nf_conntrack_count': count, 'net.netfilter.nf_conntrack_max': 1000 }
    sysctls.set('node-a', { ...sysctls.get('node-a'), ...own })
    return check({ ...snapshot, state: { ...snapshot.state, sysctls } }).findings
  }
  t.match(counted(990), [{ code: 'conntrack-full', node: 'node-a', says: /990 of at most 1000/ }])
  t.strictSame(counted(500), [])
})

t.test('what is not decided is not called healthy', async (t) => {
  const result = (asked: number, passed: number, denied = 0) => ({
    ...{ findings: [], asked, passed, denied, unknown: [], ignored: [], notices: [] },
  })
  const text = (asked: number, passed: number, denied = 0) =>
    checkText(result(asked, passed, denied), { colours: createColours(false), language: 'en', width: 200 })
  t.equal(verdictOf(result(4, 4)), 'healthy')
  t.equal(verdictOf(result(4, 0)), 'undecided')
  t.equal(verdictOf(result(0, 0)), 'undecided')
  t.equal(verdictOf(result(4, 0, 4)), 'healthy', 'what policies deny is decided')
  t.equal(
    text(4, 4),
    'no problems found: 4 of 4 requests to cluster IPs, node ports and pods are predicted to pass\n',
  )
  t.match(text(4, 0, 4), /: 0 of 4 requests .* pass, and policies deny connections of 4$/m)
  t.match(text(4, 0), /^nothing is decided/)
  t.match(text(0, 0), /^nothing is decided: no request/)
})

t.test('the first line has what policies deny, and what the requests are', async (t) => {
  const line = (exercise: string) =>
    checkText(check(planSnapshot(exercise)), { colours: createColours(false), language: 'en', width: 200 })
  t.match(line('half-trusted'), /^2 problems found, and 2 notes\n/)
  t.match(line('one-dash'), /^no problems found, and 1 note: 3 of 5 .* policies deny connections of 2\n/)
  const turnedAway = line('turned-away')
  t.match(turnedAway, /^no problems found, and 1 note: 6 of 6 requests to cluster IPs, node ports and pods /)
  t.match(turnedAway, /^ {2}node ports are called by client \w+, and not by .*branch/m)
})

t.test('failures by policies do not hide others', async (t) => {
  const names = Array.from({ length: 45 }, (_, index) => `web-${index}`)
  const denied = names.map(
    (name) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec: { nodeName: node-a, containers: [{ name: main, image: nginx, ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: ${name} }
spec: { podSelector: { matchLabels: { app: ${name} } } }
`,
  )
  const broken = `apiVersion: v1
kind: Service
metadata: { name: zz-broken }
spec: { selector: { app: wbe-0 }, ports: [{ port: 80 }] }
`
  const caller = `apiVersion: v1
kind: Pod
metadata: { name: caller }
spec: { nodeName: node-b, containers: [{ name: main, image: nginx }] }
`
  const folder = t.testdir({
    'lab.yaml': 'manifests: [all.yaml]\n',
    'all.yaml': [...denied, broken, caller].join('---\n'),
  })
  const { findings, notices, denied: count } = check(planSnapshot(folder))
  t.match(findings[0], { note: undefined, object: { name: 'zz-broken' } })
  t.match(notices, [/^\d+ more requests fail: only 40 kinds of failures are explained$/])
  t.ok(count > 0)
})
