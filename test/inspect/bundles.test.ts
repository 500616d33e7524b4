import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { check } from '../../src/diagnose/check/check.js'
import { checkText } from '../../src/diagnose/check/checkText.js'
import { headline } from '../../src/diagnose/headline.js'
import { question } from '../../src/diagnose/question.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { whyText } from '../../src/diagnose/why/whyText.js'
import { readAttachedSnapshot } from '../../src/inspect/attached.js'
import { whyWithEvidence, withEvidence } from '../../src/inspect/checkEvidence.js'
import { attachedSnapshot } from '../../src/snapshot/attached/attachedState.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import { createColours } from '../../src/text/colour.js'

/** Bundles of real Kubernetes components with one fault each; test/golden/bundles/README.md says how they were made. */
const folder = 'test/golden/bundles'

interface Truth {
  readonly mustMatch: readonly string[]
  readonly mustNotMatch?: readonly string[]
}

const names = readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
)

for (const name of names)
  t.test(`check names the fault of ${name}`, async (t) => {
    const truth = parse(readFileSync(join(folder, name, 'truth.yaml'), 'utf8')) as Truth
    const { snapshot, bundle } = await readAttachedSnapshot(join(folder, name, 'bundle'))
    const found = withEvidence(check(snapshot), bundle)
    const text = checkText(found, { colours: createColours(false), language: 'en', width: 100 })
    for (const pattern of truth.mustMatch) t.match(text, new RegExp(pattern, 'i'))
    for (const pattern of truth.mustNotMatch ?? []) t.notMatch(text, new RegExp(pattern))
    t.equal(found.findings.length > 0, truth.mustNotMatch === undefined, 'a healthy cluster has no finding')
  })

t.test('each finding has the lines of what was attached', async (t) => {
  const lines = async (name: string) => {
    const { snapshot, bundle } = await readAttachedSnapshot(join(folder, name, 'bundle'))
    return withEvidence(check(snapshot), bundle).findings.flatMap(({ at = [] }) => at)
  }
  const paste = await lines('paste-selector')
  const text = readFileSync(join(folder, 'paste-selector/bundle/paste.txt'), 'utf8').split('\n')
  const [, number = ''] = /:(\d+)$/.exec(paste[0] ?? '') ?? []
  t.match(text.slice(Number(number) - 1, Number(number) + 1).join('\n'), /app: web-fronted/)
  const microk8s = await lines('microk8s-forward-drop')
  t.match(microk8s, ['inspection-report/k8s/cluster-info-dump:479', 'inspection-report/network/iptables-S:2'])
})

t.test('what no text of a host shows is said once, with the files', async (t) => {
  const { snapshot, bundle } = await readAttachedSnapshot(join(folder, 'microk8s-forward-drop/bundle'))
  const tables = ({ notices }: Pick<Snapshot, 'notices'>) => notices.filter((one) => /the tables/.test(one))
  const files = 'inspection-report/network/iptables-S, inspection-report/network/iptables'
  t.strictSame(tables(snapshot), [`mk8s-1: the tables mangle, raw of iptables are not shown (in ${files})`])
  t.match(
    snapshot.notices.find((one) => one.includes('netstat')),
    /^mk8s-1: netstat shows .* \(in inspection-report\/network\/netstat\)$/,
  )
  // a table of another file is there, and a whole text has all tables that there are
  const [node] = bundle?.nodes ?? []
  const texts = node?.texts ?? []
  const rules = texts.filter(({ part }) => part.rules?.IPv4 !== undefined)
  t.ok(rules.length >= 2 && node !== undefined && bundle !== undefined)
  if (node === undefined || bundle === undefined) return
  const withTexts = (own: typeof texts) =>
    tables(attachedSnapshot({ ...bundle, nodes: [{ ...node, texts: own }] }))
  const [filter] = texts.filter(({ text }) => text.path.endsWith('/iptables-S'))
  t.match(filter && withTexts([filter]), [/: the tables nat, mangle, raw of iptables .*\/iptables-S\)$/])
  const whole = texts.map((one) => ({ ...one, part: { ...one.part, someTables: undefined } }))
  t.strictSame(withTexts(whole), [])
})

t.test('why has the lines of objects, rules and settings', async (t) => {
  const cases: readonly (readonly [name: string, from: string, to: string, file: RegExp, line: RegExp])[] = [
    ['paste-selector', 'cp1', '10.96.153.225:80', /^paste\.txt:/, /selector:|app: web-fronted/],
    ['microk8s-forward-drop', 'mk8s-2', '10.152.183.160:8000', /iptables-S:/, /^-P FORWARD DROP$/],
    [
      'eks-rp-filter',
      'outside',
      '192.168.50.11:30443',
      /sysctl_all/,
      /^net\.ipv4\.conf\.all\.rp_filter = 1$/,
    ],
  ]
  for (const [name, from, to, file, line] of cases) {
    const root = join(folder, name, 'bundle')
    const { snapshot, bundle } = await readAttachedSnapshot(root)
    const why = whyRequest(snapshot, { from, to, protocol: 'tcp' })
    const [finding] = whyWithEvidence(why, bundle).findings
    const [at = ''] = [...(finding?.causes ?? []), ...(finding?.rule ? [finding.rule] : [])].flatMap(
      (one) => one.at ?? [],
    )
    t.match(at, file)
    const [path = '', number] = at.split(':')
    t.match(readFileSync(join(root, path), 'utf8').split('\n')[Number(number) - 1], line)
    t.strictSame(whyWithEvidence(why, undefined), why, 'without texts')
  }
})

t.test('why answers about a saved node', async (t) => {
  const file = join(folder, 'eks-rp-filter/bundle')
  const { snapshot } = await readAttachedSnapshot(file)
  const written = { from: 'outside', to: '192.168.50.11:30443', protocol: 'tcp' as const }
  const { written: asked } = question(snapshot, written)
  t.match(whyRequest(snapshot, asked), {
    outcome: 'fails',
    findings: [
      {
        end: { reason: /arrives on eth0, but has its route by eth1 \(ip rule 1536/ },
        changes: [{ proposal: { says: /rp_filter .* is 2/ }, share: 1 }],
      },
    ],
  })
})

t.test('what nothing attached has is not known', async (t) => {
  const cases: readonly (readonly [name: string, from: string, to: string, reason: string])[] = [
    [
      'cilium-healthy',
      'client',
      '203.0.113.10:80',
      'it leaves the cluster: nothing attached has 203.0.113.10',
    ],
    // rules of a node that forwards nothing do not decide about it
    ['cilium-healthy', 'outside', '8.8.8.8:80', 'it leaves the cluster: nothing attached has 8.8.8.8'],
    ['cilium-healthy', 'client', '172.20.0.1:443', 'nothing attached has 172.18.0.5'],
    [
      'eks-rp-filter',
      'outside',
      '192.168.50.12:30443',
      'it leaves the cluster: nothing attached has 192.168.50.12',
    ],
    ['eks-rp-filter', 'outside', '10.100.0.1:443', 'nothing attached has 192.168.50.10'],
    ['k3s-bridge-nf', 'k3s-1', '10.43.0.1:443', 'it leaves the cluster: nothing attached has 192.168.50.10'],
  ]
  for (const [name, from, to, reason] of cases) {
    const { snapshot } = await readAttachedSnapshot(join(folder, name, 'bundle'))
    const client = snapshot.model.topology.pods.find((pod) => pod.name.startsWith('client-'))
    const asked = question(snapshot, {
      from: from === 'client' ? `pod/default/${client?.name ?? ''}` : from,
      to,
      protocol: 'tcp',
    })
    const why = whyRequest(snapshot, asked.written)
    t.match(why, { outcome: 'unknown', findings: [{ end: { leaves: true, reason }, causes: [] }] })
    t.match(headline(asked, why), { mark: '?', sentence: new RegExp(`not known: ${reason}$`) })
  }
})

t.test('no host has a cluster IP: a port that its Service lacks fails', async (t) => {
  const { snapshot } = await readAttachedSnapshot(join(folder, 'dump-target-port', 'bundle'))
  const found = whyRequest(snapshot, { from: 'worker-1', to: '10.43.119.155:81', protocol: 'tcp' })
  t.match(found, { outcome: 'fails', findings: [{ code: 'service-port-absent' }] })
})

t.test('a cause of several endpoints is there once, with their names', async (t) => {
  const { snapshot } = await readAttachedSnapshot(join(folder, 'dump-target-port', 'bundle'))
  const once =
    /^no container of (blog-\S+) declares tcp port 8080; it declares: 80 \(the same for (blog-\S+)\)$/
  t.match(
    check(snapshot).findings.map(({ says }) => says),
    [once],
  )
  const asked = question(snapshot, { from: 'worker-1', to: 'http://10.43.119.155/', protocol: 'tcp' })
  const why = whyRequest(snapshot, asked.written)
  t.equal(why.findings.length, 2)
  const text = whyText(why, asked, { colours: createColours(false), language: 'en', width: 1000 })
  const all = (label: string) =>
    text.match(new RegExp(`^ {2}${label} .*$`, 'gm'))?.map((one) => one.slice(11)) ?? []
  t.match(all('cause'), [once])
  t.equal(all('fix').length, 1)
  t.equal(all('result').length, 2)
})

t.test('fixes are commands that are typed on a node, or with kubectl', async (t) => {
  const commands = async (name: string) => {
    const { snapshot } = await readAttachedSnapshot(join(folder, name, 'bundle'))
    return check(snapshot).findings.flatMap(({ fixes }) => fixes.map(({ command }) => command))
  }
  t.ok((await commands('microk8s-forward-drop')).includes('iptables -P FORWARD ACCEPT   # on mk8s-1'))
  t.match(await commands('k3s-bridge-nf'), ['sysctl -w net.bridge.bridge-nf-call-iptables=1   # on k3s-2'])
  t.match(
    (await commands('paste-selector'))[0],
    /^kubectl patch service\/web-frontend .*"app":"web-frontend"/,
  )
})

t.test('a text without anything of a cluster is refused', async (t) => {
  await t.rejects(readAttachedSnapshot('LICENSE'), {
    message: /neither objects of a cluster nor rules/,
  })
})

t.test('a rule on the way that did not decide is no cause', async (t) => {
  const { snapshot } = await readAttachedSnapshot(join(folder, 'dump-target-port', 'bundle'))
  const found = whyRequest(snapshot, { from: 'outside', to: 'http://10.43.119.155:81/', protocol: 'tcp' })
  t.equal(found.outcome, 'fails')
  for (const { code, causes } of found.findings) {
    t.not(code, 'foreign-rule')
    t.notOk(causes.some((cause) => cause.code === 'foreign-rule'))
  }
})

t.test(
  'what the pods of an attached cluster answer is not known, and neither is a name that a caller looks up',
  async (t) => {
    const objects = `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Node, metadata: { name: n1 }, spec: { podCIDR: 10.244.0.0/24 }, status: { addresses: [{ type: InternalIP, address: 172.18.0.2 }] } }
  - apiVersion: v1
    kind: Pod
    metadata: { name: web, labels: { app: web } }
    spec: { nodeName: n1, containers: [{ name: c, image: tls, ports: [{ containerPort: 8443 }] }] }
    status: { phase: Running, podIP: 10.244.0.5, podIPs: [{ ip: 10.244.0.5 }], conditions: [{ type: Ready, status: 'True' }] }
  - apiVersion: v1
    kind: Pod
    metadata: { name: caller }
    spec: { nodeName: n1, containers: [{ name: c, image: curl }] }
    status: { phase: Running, podIP: 10.244.0.6, podIPs: [{ ip: 10.244.0.6 }], conditions: [{ type: Ready, status: 'True' }] }
  - apiVersion: v1
    kind: Service
    metadata: { name: web }
    spec: { clusterIP: 10.96.0.20, clusterIPs: [10.96.0.20], selector: { app: web }, ports: [{ port: 443, targetPort: 8443 }] }
`
    const { snapshot } = await readAttachedSnapshot(join(t.testdir({ 'o.yaml': objects }), 'o.yaml'))
    const says = (to: string) => {
      const { outcome, remarks } = whyRequest(snapshot, { from: 'caller', to, protocol: 'tcp' })
      return [outcome, ...remarks.map((one) => one.says)]
    }
    t.strictSame(says('https://10.96.0.20/'), [
      'passes',
      'not looked at: TLS, and the answer of pod default/web',
    ])
    t.strictSame(says('http://web:443/'), [
      ...['passes', 'not looked at: whether the caller can look up web in DNS'],
      'not looked at: the answer of pod default/web',
    ])
  },
)
