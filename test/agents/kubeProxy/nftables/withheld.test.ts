import t from 'tap'
import { withholdNft } from '../../../../src/agents/kubeProxy/nftables/withheld.js'

const text = [
  'add table ip kube-proxy { comment "rules for kube-proxy" ; }',
  'add rule ip kube-proxy services ip daddr . meta l4proto . th dport vmap @service-ips',
  'delete element ip kube-proxy no-endpoint-services { 10.96.1.2 . tcp . 80 }',
  'add element ip kube-proxy no-endpoint-services { 10.96.1.2 . tcp . 80 comment "default/empty" : goto reject-chain }',
  'add element ip6 kube-proxy service-ips { fd00:10:96::1 . tcp . 80 : goto service-X-default/web/tcp/ }',
  'delete element ip kube-proxy cluster-ips { 10.96.1.2 }',
  'add element ip kube-proxy cluster-ips { 10.96.1.2 }',
  '',
].join('\n')
const without = (line: number, on = 'node-a') => {
  const lines = text.split('\n')
  const place = { node: 'node-a', family: 'IPv4' } as const
  const rule = { ...place, table: 'kube-proxy', line: lines[line] ?? '' } as const
  const left = withholdNft(text, rule, { ...place, node: on }).split('\n')
  return lines.flatMap((one, index) => (left.includes(one) ? [] : [index]))
}

t.test('a rule is left out, and an element with its deletion', async (t) => {
  t.same(without(1), [1])
  t.same(without(3), [2, 3])
  t.same(without(4), [4])
  t.same(without(6), [5, 6])
})

t.test('elsewhere everything stays', async (t) => {
  t.same(without(3, 'node-b'), [])
  t.equal(withholdNft(text, undefined, { node: 'node-a', family: 'IPv4' }), text)
})
