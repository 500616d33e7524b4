import t from 'tap'
import { createCatalogue } from '../../../src/lab/mutate/catalogue.js'
import { whatActsInNft } from '../../../src/lab/mutate/whatActsInNft.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import type { TracedRule } from '../../../src/netfilter/nftTrace.js'

const header = {
  protocol: 'tcp',
  source: { address: '172.18.1.2', port: 40_000 },
  destination: { address: '172.18.0.2', port: 30080 },
  ttl: 64,
} as const
const met = (chain: string, rule: string, verdict: string): TracedRule => {
  const [kind = '', target] = verdict.split(' ')
  return {
    ...{ family: 'ip', table: 'kube-proxy', chain, rule, header },
    verdict: { kind, chain: target },
  }
}
const external = 'external-6E2LAMZC-default/my-nodeport-service/tcp/'
const lookUp = 'ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports'
const way = [
  met('filter-prerouting-pre-dnat', 'ct state new jump firewall-check', 'jump firewall-check'),
  met('nat-prerouting', 'jump services', 'jump services'),
  met('services', lookUp, `goto ${external}`),
  met(external, 'meta mark set meta mark | 0x00004000 comment "masquerade"', 'continue'),
]

t.test(
  'what acts: rules that do something, what leads to them, and the elements that were found',
  async (t) => {
    t.same(
      whatActsInNft(way).map(({ chain, spec }) => `${chain}: ${spec}`),
      [
        'nat-prerouting: jump services',
        `services: ${lookUp}`,
        'nodeport-ips: 172.18.0.2',
        `service-nodeports: tcp . 30080 : goto ${external}`,
        `${external}: meta mark set meta mark | 0x00004000 comment "masquerade"`,
      ],
      'the check led to nothing',
    )
    t.same(whatActsInNft(way.slice(0, 3)), [], 'nor does a way that ends before something is done')
  },
)

t.test('they are found among the rules that kube-proxy writes', async (t) => {
  const prepared = prepareLab('nodeport', { mode: 'nftables' })
  const catalogue = createCatalogue({ nfacct: false, randomFully: true })
  catalogue.note(prepared)
  catalogue.meet('node-a', 'IPv4', [])
  catalogue.meet('node-a', 'IPv4', way)
  const rules = catalogue.rules()
  t.match(
    rules.met.map(({ node, metIn, line }) => `${node} ${metIn.join()} ${line}`),
    [
      'node-a 1 add rule ip kube-proxy nat-prerouting jump services',
      `node-a 1 add rule ip kube-proxy services ${lookUp}`,
      'node-a 1 add element ip kube-proxy nodeport-ips { 172.18.0.2 }',
      `node-a 1 add element ip kube-proxy service-nodeports { tcp . 30080 : goto ${external} }`,
      `node-a 1 add rule ip kube-proxy ${external} mark set mark or 0x00004000 comment "masquerade"`,
    ],
    'in the order in which a packet meets them',
  )
  t.ok(rules.notMet.length > 40)
  t.ok([...rules.met, ...rules.notMet].every(({ why }) => why !== ''))
})
