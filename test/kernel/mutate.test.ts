import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createCatalogue } from '../../src/lab/mutate/catalogue.js'
import { tryInPlace } from '../../src/lab/mutate/tryInPlace.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { LabMutations } from '../../src/results/mutations.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'
import { startLab } from './startLab.js'

/** The nodeport lab with steps of its own, which see less. */
function weakLab(t: Test, rest: string): string {
  const folder = copyOfLab(t, 'nodeport')
  writeFileSync(join(folder, 'lab.yaml'), rest)
  return folder
}

const answers = "steps: [{ name: It answers, curl: 'http://{node-a}:30080/', repeat: 16 }]\n"

/** A rule without what names a Service, an endpoint or a condition: `KUBE-SVC → KUBE-SEP`. */
function kindOf({ chain, spec }: LabMutations['mutations'][number]): string {
  const [, target = ''] = /-j (\S+)/.exec(spec) ?? []
  const [from, to] = [chain, target].map((name) => name.replace(/^(KUBE-(?:EXT|SVC|SEP))-.*/, '$1'))
  return `${from} → ${to}`
}

t.test('without a rule of any kind the check fails that is about it', { skip: cannotRun }, async (t) => {
  const { code, stdout, stderr } = await vethlab(['mutate', 'nodeport', '--covered', '--json'])
  t.equal(code, 0, `${stdout}${stderr}`)
  const { ok, mutations, skipped, error } = JSON.parse(stdout) as LabMutations
  t.match({ ok, skipped, error }, { ok: true, skipped: undefined, error: undefined })
  for (const one of mutations) t.match(one.verdict, { kind: 'caught', step: String }, kindOf(one))
  t.strictSame(
    [...new Set(mutations.map(kindOf))],
    [
      'PREROUTING → KUBE-SERVICES',
      'KUBE-SERVICES → KUBE-NODEPORTS',
      'KUBE-MARK-MASQ → MARK',
      'KUBE-NODEPORTS → KUBE-EXT',
      'KUBE-EXT → KUBE-MARK-MASQ',
      'KUBE-EXT → KUBE-SVC',
      'KUBE-SVC → KUBE-SEP',
      'KUBE-SEP → DNAT',
      'POSTROUTING → KUBE-POSTROUTING',
      'KUBE-POSTROUTING → RETURN',
      'KUBE-POSTROUTING → MASQUERADE',
    ],
  )
  t.match(
    mutations.find(({ spec }) => spec.includes('--probability')),
    { chain: /^KUBE-SVC-/, verdict: { check: /^requests served/ } },
  )
  t.match(
    mutations.find(({ chain }) => chain === 'KUBE-NODEPORTS'),
    {
      table: 'nat',
      spec: /--dport 30080 -j KUBE-EXT-/,
      servicePort: 'default/my-nodeport-service',
      nodes: ['node-a', 'node-b'],
      verdict: { check: 'status 200' },
    },
  )
})

t.test(
  'a rule that no check misses ends with 1, unless the lab lists it as uncovered',
  { skip: cannotRun },
  async (t) => {
    const lab = weakLab(t, answers)
    const missed = await vethlab(['mutate', lab, '--rule', '*statistic*'])
    t.equal(missed.code, 1, missed.stderr)
    t.match(missed.stdout, /✖ nat KUBE-SVC-\S+ .*statistic[^]*without it on node-a: no check failed/)
    writeFileSync(
      join(lab, 'lab.yaml'),
      `${answers}mutate: { uncovered: [{ rules: '*statistic*', why: any pod will do }] }\n`,
    )
    const listed = await vethlab(['mutate', lab, '--rule', '*statistic*'])
    t.equal(listed.code, 0, listed.stderr)
    t.match(listed.stdout, /- nat KUBE-SVC-\S+ [^]*uncovered: any pod will do/)
  },
)

t.test('in place the request that misses a rule catches it, and no other', { skip: cannotRun }, async (t) => {
  const lab = weakLab(
    t,
    `steps:
  - { name: Through node-a, curl: 'http://{node-a}:30080/' }
  - { name: Through node-b, curl: 'http://{node-b}:30080/' }
`,
  )
  const prepared = prepareLab(lab)
  const catalogue = createCatalogue({ nfacct: false, randomFully: true })
  catalogue.note(prepared)
  const nodePort = catalogue
    .rules()
    .notMet.filter(({ node, chain }) => node === 'node-a' && chain === 'KUBE-NODEPORTS')
    .filter(({ spec }) => spec.includes('30080'))
  const inTurns = async (...metIn: [number, ...number[]]) => {
    const rules = nodePort.map((rule) => ({ ...rule, metIn }))
    const verdicts = await tryInPlace(prepared, rules, { limitMs: 30_000, capture: false })
    return [...verdicts.values()]
  }
  t.equal(nodePort.length, 1)
  t.match(await inTurns(1, 2), [{ kind: 'caught', step: 'Through node-a', check: 'answered' }])
  t.strictSame(await inTurns(2), [], 'node-b answers without it')
})

t.test('rules of a lab that fails are not tried', { skip: cannotRun }, async (t) => {
  const lab = weakLab(t, "steps: [{ name: It answers, curl: 'http://{node-a}:30081/' }]\n")
  const { code, stdout } = await vethlab(['mutate', lab])
  t.equal(code, 1)
  t.match(stdout, /✖ it fails with all its rules: It answers › /)
})

t.test('what takes no rule away is refused', { skip: cannotRun }, async (t) => {
  const byHand = await vethlab(['mutate', 'iptables-basics'])
  t.equal(byHand.code, 2)
  t.match(byHand.stdout, /skipped: its nodes have no kube-proxy/)
  const none = await vethlab(['mutate', 'nodeport', '--rule', 'KUBE-XLB-*'])
  t.equal(none.code, 2)
  t.match(none.stderr, /no rule like "KUBE-XLB-\*" has matched a packet/)
})

t.test('a rule that is kept away comes back by no sync', { skip: cannotRun }, async (t) => {
  const prepared = prepareLab('nodeport')
  const catalogue = createCatalogue({ nfacct: false, randomFully: true })
  catalogue.note(prepared)
  const isMasquerade = ({ spec }: { spec: string }) => spec.includes('MASQUERADE')
  const withheld = catalogue.rules().notMet.find((rule) => rule.node === 'node-a' && isMasquerade(rule))
  const started = await startLab(t, prepared, { withheld, capture: false })
  const masquerades = async () =>
    Promise.all(
      prepared.topology.nodes.map(async (node) => {
        const { stdout } = await started.exec(node, ['iptables', '-t', 'nat', '-S', 'KUBE-POSTROUTING'])
        return stdout.includes('MASQUERADE')
      }),
    )
  t.strictSame(await masquerades(), [false, true], 'as the lab comes up')
  await started.live.restartKubeProxy('node-a')
  t.strictSame(await masquerades(), [false, true], 'after a full sync')
  await started.live.write([{ verb: 'scale', ref: { kind: 'Deployment', name: 'my-app' }, replicas: 3 }])
  t.strictSame(await masquerades(), [false, true], 'after one of what changed')
})

t.test(
  'in mode nftables rules and elements are taken away',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const args = ['mutate', 'nodeport', '--mode', 'nftables', '--json', '--rule']
    const { code, stdout, stderr } = await vethlab([...args, 'service-nodeports'])
    t.equal(code, 0, `${stdout}${stderr}`)
    const caught = { kind: 'caught', step: String, check: 'status 200' }
    const servicePort = 'default/my-nodeport-service'
    t.match((JSON.parse(stdout) as LabMutations).mutations, [
      {
        table: 'kube-proxy',
        spec: /^tcp \. 30080 : goto /,
        servicePort,
        nodes: ['node-a', 'node-b'],
        verdict: caught,
      },
    ])
    const lab = weakLab(t, answers)
    const missed = await vethlab(['mutate', lab, '--mode', 'nftables', '--rule', 'external-* meta mark *'])
    t.equal(missed.code, 0, 'without its mark the answer of another node does not come back')
  },
)

t.test('each rule by which policies decide is missed', { skip: cannotRun }, async (t) => {
  const { code, stdout, stderr } = await vethlab([
    ...['mutate', 'network-policy-services', '--rule', 'filter KUBE-NWPLCY-*', '--json'],
  ])
  t.equal(code, 0, `${stdout}${stderr}`)
  const { mutations } = JSON.parse(stdout) as LabMutations
  t.strictSame(
    mutations.map(({ object, nodes, verdict }) => [object, nodes, verdict.kind]),
    [
      ['NetworkPolicy default/till-egress', ['node-b'], 'caught'],
      ['NetworkPolicy default/web', ['node-a'], 'caught'],
      ['NetworkPolicy default/web', ['node-a'], 'caught'],
      ['NetworkPolicy default/web', ['node-b'], 'caught'],
    ],
  )
})
