import t from 'tap'
import type { Observation, RuleOnPath } from '../../../src/lab/observation.js'
import type { Why } from '../../../src/diagnose/why/types.js'
import { checks } from '../fixture.js'

const rules: readonly RuleOnPath[] = [
  { place: 'node-a', table: 'nat', chain: 'KUBE-NODEPORTS', spec: '-p tcp --dport 30080 -j KUBE-EXT-A' },
  { place: 'node-a', table: 'nat', chain: 'KUBE-SVC-A', spec: '-j KUBE-SEP-B' },
  { place: 'node-a', table: 'filter', chain: 'KUBE-FORWARD', spec: '-m mark --mark 0x4000 -j ACCEPT' },
  { place: 'node-b', table: 'filter', chain: 'FORWARD', spec: '-j ACCEPT' },
]

const paths: readonly [readonly unknown[], boolean][] = [
  [['KUBE-NODEPORTS', 'KUBE-SVC-*', 'filter/KUBE-FORWARD'], true],
  [[{ chain: 'KUBE-FORWARD', contains: '0x4000', at: 'node-a' }], true],
  [['KUBE-SVC-*', 'KUBE-NODEPORTS'], false],
  [['KUBE-NODEPORTS', 'KUBE-NODEPORTS'], false],
  [['nat/KUBE-FORWARD'], false],
  [[{ chain: 'KUBE-FORWARD', at: 'node-b' }], false],
  [[{ chain: 'KUBE-FORWARD', contains: 'DROP' }], false],
]

t.test('path: rules in their order', async (t) => {
  for (const [path, ok] of paths) {
    const [check] = checks({ path }, { path: rules }, { repeat: 1 })
    t.equal(check?.ok, ok, JSON.stringify(path))
    t.match(
      check?.observed,
      ok ? /^node-a: KUBE-NODEPORTS, .*; node-b: filter\/FORWARD$/ : /does not apply there/,
    )
  }
  const [untraced] = checks({ path: ['KUBE-SVC-*'] }, {}, { repeat: 1 })
  t.equal(untraced?.ok, false, 'a request that was not traced')
})

const found: Why = {
  ...{ outcome: 'fails', share: 0, answered: [], remarks: [], complete: true },
  findings: [
    {
      code: 'forward-policy-drop',
      end: { kind: 'dropped', place: 'node-a', reason: 'the policy of FORWARD is DROP', caller: 'timeout' },
      share: 1,
      assumptions: [],
      rule: { place: 'node-a', table: 'filter', chain: 'FORWARD', spec: '-P FORWARD DROP', owner: 'Docker' },
      causes: [
        {
          code: 'forward-policy-drop',
          says: 'no rule accepts it',
          object: { kind: 'Service', namespace: 'default', name: 'web', field: 'spec.selector' },
          proposals: [],
        },
      ],
      changes: [],
      tried: [],
    },
  ],
}
const passes: Why = { outcome: 'passes', share: 1, answered: [], findings: [], remarks: [], complete: true }

const reasons: readonly [unknown, Observation['why'], boolean][] = [
  [{ rule: 'FORWARD', owner: 'Docker', object: 'service/web', field: 'spec.selector' }, found, true],
  [{ rule: { chain: 'filter/FORWARD', contains: 'DROP', at: 'node-a' } }, found, true],
  [{ because: { contains: 'policy of FORWARD' } }, found, true],
  [{ rule: 'FORWARD', owner: 'ufw' }, found, false],
  [{ rule: 'INPUT' }, found, false],
  [{ object: 'service/db' }, found, false],
  [{ object: 'service/web', field: 'spec.ports' }, found, false],
  [{ because: { contains: 'rp_filter' } }, found, false],
  [{ rule: 'FORWARD' }, passes, false],
  [{ rule: 'FORWARD' }, undefined, false],
]

t.test('why: the rule, the object and the sentence', async (t) => {
  for (const [why, observed, ok] of reasons) {
    const [check] = checks({ why }, { why: observed }, { repeat: 1 })
    t.equal(check?.ok, ok, JSON.stringify(why))
  }
})

t.test('denied: by a policy, and without an answer', async (t) => {
  const request = (outcome: 'refused' | 'answered') => ({
    ...{ index: 0, argv: [], outcome, exitCode: 0, stdout: '', stderr: '' },
  })
  const [finding] = found.findings
  const deniedBy = ['default/deny', 'shop/web']
  const by = (names: readonly string[] | undefined): Why => ({
    ...found,
    findings:
      finding === undefined
        ? []
        : [{ ...finding, causes: finding.causes.map((one) => ({ ...one, deniedBy: names })) }],
  })
  const cases: readonly [name: string, why: Why, outcome: 'refused' | 'answered', ok: boolean][] = [
    ['deny', by(deniedBy), 'refused', true],
    ['shop/web', by(deniedBy), 'refused', true],
    ['web', by(deniedBy), 'refused', false],
    ['deny', by(undefined), 'refused', false],
    ['deny', by(deniedBy), 'answered', false],
  ]
  for (const [name, why, outcome, ok] of cases) {
    const requests = [request(outcome)] as unknown as Observation['requests']
    const [check] = checks({ denied: { by: name } }, { why, requests }, { repeat: 1 })
    t.equal(check?.ok, ok, `${name}, ${outcome}: ${check?.observed}`)
  }
})
