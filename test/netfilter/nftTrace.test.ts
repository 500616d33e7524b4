import t from 'tap'
import { tracedCounts, tracedRules } from '../../src/netfilter/nftTrace.js'
import type { TraceMessage } from '../../src/netfilter/trace/types.js'

const external = 'external-6E2LAMZC-default/web/tcp/'
const texts = [
  'jump services',
  'ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports',
  'meta mark set meta mark | 0x00004000 comment "masquerade"',
  'update @affinity-X { ip saddr }',
  'ip saddr != @cluster-ips drop',
]
const verdicts = [
  { kind: 'jump', chain: 'services' },
  { kind: 'goto', chain: external },
  { kind: 'continue' },
  { kind: 'continue' },
  { kind: 'drop' },
]

const kubeProxy = { id: 7, family: 'ip', table: 'kube-proxy', mark: 0 }
/** What the kernel reports when a packet matches the rule with this number. */
const matched = (chain: string, handle: number): TraceMessage => ({
  ...{ ...kubeProxy, type: 'rule', chain, handle, verdict: verdicts[handle] },
})
const header = {
  protocol: 'tcp',
  ttl: 64,
  source: { address: '172.18.1.2', port: 40_000 },
  destination: { address: '172.18.0.2', port: 30080 },
} as const
const rewritten = { ...header, destination: { address: '10.244.0.2', port: 8080 } }

const messages: readonly TraceMessage[] = [
  { ...matched('prerouting', 0), table: 'vethlab-trace', packet: { header } },
  { ...kubeProxy, type: 'policy', chain: 'filter-prerouting', policy: 'accept', packet: { header } },
  matched('nat-prerouting', 0),
  matched('services', 1),
  { ...kubeProxy, type: 'return', chain: external },
  matched(external, 2),
  matched('endpoint-X', 3),
  { ...matched('cluster-ips-check', 4), packet: { header: rewritten } },
  { ...matched('removed', 5), id: 8, family: 'ip6' },
]
const rules = tracedRules(messages, ['kube-proxy'], ({ family }, handle) =>
  family === 'ip' ? texts[handle] : undefined,
)

t.test('the rules that a packet matched', async (t) => {
  t.strictSame(
    rules.map(({ chain, rule }) => `${chain}: ${rule}`),
    [
      `nat-prerouting: ${texts[0]}`,
      `services: ${texts[1]}`,
      `${external}: ${texts[2]}`,
      `endpoint-X: ${texts[3]}`,
      `cluster-ips-check: ${texts[4]}`,
      'removed: ',
    ],
  )
  t.match(rules[1], { family: 'ip', table: 'kube-proxy', verdict: { kind: 'goto', chain: external } })
})

t.test('the packet is the one that the kernel reported last at a hook', async (t) => {
  const ports = rules.map((rule) => rule.header?.destination.port)
  t.strictSame(ports, [30080, 30080, 30080, 30080, 8080, undefined])
})

t.test('matches as counters, for sets and maps too', async (t) => {
  const existing = ['services', 'reject-chain'].map((chain) => ({
    table: 'kube-proxy',
    chain,
    rule: '',
    packets: 0,
  }))
  const counts = tracedCounts(existing, rules)
  const packets = (chain: string) =>
    counts.filter((one) => one.chain === chain).reduce((sum, one) => sum + one.packets, 0)
  t.equal(packets('services'), 1)
  t.equal(packets('removed'), 1)
  t.equal(packets('reject-chain'), 0)
  t.ok(
    counts.some(({ chain }) => chain === 'reject-chain'),
    'one that no packet met is there',
  )
  t.same(['nodeport-ips', 'service-nodeports'].map(packets), [1, 1])
  t.same(['affinity-X', 'cluster-ips'].map(packets), [0, 0], 'written to, or not found in')
})
