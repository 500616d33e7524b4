import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import type { LabMutations, Mutation } from '../../src/results/mutations.js'
import { mutationsTable, prettyMutations } from '../../src/reporters/mutations/prettyMutations.js'
import { textWidth } from '../../src/text/textWidth.js'

const caught: Mutation = {
  family: 'IPv4',
  table: 'nat',
  chain: 'KUBE-NODEPORTS',
  spec: '-p tcp -m comment --comment "default/web" -m tcp --dport 30080 -j KUBE-EXT-LOLE4ISW44XBNF3G',
  why: 'spec.ports[].nodePort: on the node’s own addresses',
  servicePort: 'default/web',
  nodes: ['node-a', 'node-b'],
  alike: 1,
  verdict: { kind: 'caught', step: 'The client reaches the Service', check: 'status 200' },
}
const shared: Mutation = {
  ...caught,
  chain: 'KUBE-POSTROUTING',
  spec: '-j MASQUERADE --random-fully',
  servicePort: undefined,
  nodes: ['node-a'],
  verdict: { kind: 'not caught' },
}
const result: LabMutations = {
  lab: 'nodeport',
  title: 'NodePort',
  ok: false,
  mutations: [caught, shared],
  notMet: 12,
  idle: [],
  durationMs: 4200,
}

function pretty(one: LabMutations, everything = true): string {
  return prettyMutations(one, { colours: createColours(false), width: 80, everything })
}

t.test('each rule with its reason and with the check that fails without it', async (t) => {
  const lines = pretty(result).split('\n')
  t.ok(lines.every((line) => textWidth(line) <= 80))
  t.strictSame(lines, [
    'nodeport  NodePort',
    '',
    '  default/web',
    '  ✔ nat KUBE-NODEPORTS -p tcp -m tcp --dport 30080 -j KUBE-EXT-LOLE4ISW44XBNF3G',
    '      spec.ports[].nodePort: on the node’s own addresses',
    '      without it on node-a, node-b: “The client reaches the Service” › status',
    '      200',
    '',
    '  shared rules',
    '  ✖ nat KUBE-POSTROUTING -j MASQUERADE --random-fully',
    '      spec.ports[].nodePort: on the node’s own addresses',
    '      without it on node-a: no check failed',
    '',
    '  ✖ 2 rules removed in turn: 1 caught, 1 not caught, 12 more without effect,',
    '    total run time 4.20 s',
    '',
  ])
})

t.test('for many labs only rules that are not caught, or listed needlessly', async (t) => {
  t.notMatch(pretty(result, false), 'KUBE-NODEPORTS')
  t.match(pretty(result, false), 'KUBE-POSTROUTING')
  const listed = { ...result, ok: true, mutations: [{ ...caught, uncovered: 'a reason' }] }
  t.match(pretty(listed, false), /status\s+200; its entry in mutate.uncovered is not needed/)
})

t.test('an uncovered rule, and an undecided one', async (t) => {
  const uncovered = { ...shared, uncovered: 'nothing leaves the node' }
  t.match(
    pretty({ ...result, mutations: [uncovered] }),
    /- nat KUBE-POSTROUTING[^]*uncovered: nothing leaves\s+the\s+node/,
  )
  const verdict = { kind: 'undecided', reason: 'interrupted after 12 s' } as const
  t.match(
    pretty({ ...result, mutations: [{ ...shared, verdict }] }),
    /✖[^]*interrupted after 12 s, before a check failed/,
  )
})

t.test('a lab that fails with all rules, or is skipped, shows the reason', async (t) => {
  t.match(
    pretty({ ...result, mutations: [], error: 'it fails as it is: x › y' }),
    /✖ it fails as it is: x › y/,
  )
  t.match(pretty({ ...result, mutations: [], skipped: 'no kube-proxy' }), 'skipped: no kube-proxy')
})

t.test('a table of several labs', async (t) => {
  const skipped = { ...result, lab: 'by-hand', mutations: [], skipped: 'no kube-proxy' }
  const rows = mutationsTable([result, skipped])
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
  t.match(rows[1], ['✖', 'nodeport', '1', '1', '0', '0', '12', '4.20 s'])
  t.match(rows[2]?.slice(0, 3), ['-', 'by-hand', '-'])
})
