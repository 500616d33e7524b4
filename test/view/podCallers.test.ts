import t, { type Test } from 'tap'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { readAttachedSnapshot } from '../../src/inspect/attached.js'
import { podCallers } from '../../src/view/live/podCallers.js'
import { webAndCaller } from '../diagnose/why/whyIn.js'

const policy = (spec: string, name = 'web') => `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: ${name} }
spec: ${spec}
---
`
const fromLabelled = policy(
  '{ podSelector: { matchLabels: { app: web } }, ingress: [{ from: [{ podSelector: { matchLabels: { role: client } } }], ports: [{ port: http }] }] }',
)
const other = `
apiVersion: v1
kind: Pod
metadata: { name: other, labels: { role: client } }
spec: { nodeName: node-a, containers: [{ name: c, image: x }] }
---
`

/** Who may talk to pod web of a planned lab. */
function callersOfWeb(
  t: Test,
  manifests: string,
  lab = 'topology: { nodes: [node-a, node-b], clients: [client] }',
) {
  const folder = t.testdir({ 'lab.yaml': `manifests: [all.yaml]\n${lab}\n`, 'all.yaml': manifests })
  const snapshot = planSnapshot(folder)
  const netns = snapshot.model.topology.pods.find(({ name }) => name === 'web')?.netns
  if (netns === undefined) throw new Error('there is no pod web')
  return podCallers(snapshot, netns)
}

t.test('callers are grouped by what decides, of both ends', async (t) => {
  const { state, ports } = callersOfWeb(t, webAndCaller() + other + fromLabelled)
  t.equal(state, 'decided')
  t.strictSame(
    ports.map(({ port, groups }) => [
      port,
      groups.map(({ allowed, reasons, callers }) => [allowed, callers.map(({ name }) => name), reasons]),
    ]),
    [
      [
        '8080/tcp',
        [
          [true, ['node-b'], [{ end: 'ingress', why: 'own-node', policies: [] }]],
          [
            true,
            ['other'],
            [
              { end: 'egress', why: 'not-isolated', policies: [] },
              {
                end: 'ingress',
                why: 'rule',
                policies: ['NetworkPolicy default/web'],
                field: 'spec.ingress[0]',
              },
            ],
          ],
          [
            false,
            ['client', 'node-a', 'caller'],
            [{ end: 'ingress', why: 'isolated', policies: ['NetworkPolicy default/web'] }],
          ],
        ],
      ],
    ],
  )
})

t.test('egress of the caller counts too', async (t) => {
  const deny = policy('{ podSelector: { matchLabels: { role: client } }, policyTypes: [Egress] }', 'deny')
  const { ports } = callersOfWeb(t, webAndCaller() + other + fromLabelled + deny)
  const denied = ports[0]?.groups.find(({ callers }) => callers.some(({ name }) => name === 'other'))
  t.match(denied, {
    allowed: false,
    reasons: [{ end: 'egress', why: 'isolated', policies: ['NetworkPolicy default/deny'] }],
  })
})

t.test(
  'nothing is decided where it is not known whether policies are enforced, or they are not',
  async (t) => {
    const lab = 'networkPolicies: { enforce: false }'
    t.match(callersOfWeb(t, webAndCaller() + fromLabelled, lab), { state: 'not-enforced', ports: [] })
    const { snapshot } = await readAttachedSnapshot('test/golden/bundles/dump-target-port/bundle')
    const pod = snapshot.model.topology.pods[0]
    t.match(podCallers(snapshot, pod?.netns ?? ''), { state: 'none-attached', ports: [] })
    const node = snapshot.model.topology.nodes[0]
    t.match(podCallers(snapshot, node?.netns ?? ''), { state: 'not-selectable' })
  },
)
