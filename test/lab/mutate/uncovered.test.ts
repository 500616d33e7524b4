import t from 'tap'
import { idlePatterns, uncoveredIn } from '../../../src/lab/mutate/uncovered.js'
import { modeOf } from '../../../src/agents/kubeProxy/modes.js'

const endpoint = {
  node: 'node-a',
  table: 'nat',
  chain: 'KUBE-SEP-A',
  spec: '-p tcp -m tcp -j DNAT --to-destination 10.244.1.2:80',
}
const forward = {
  node: 'node-a',
  table: 'filter',
  chain: 'KUBE-FORWARD',
  spec: '-m mark --mark 0x4000/0x4000 -j ACCEPT',
}
const invalid = {
  node: 'node-a',
  table: 'filter',
  chain: 'KUBE-FORWARD',
  spec: '-m conntrack --ctstate INVALID -j DROP',
}

t.test('what lab.yaml lists comes before what is said of every lab', async (t) => {
  const lab = { uncovered: [{ rules: 'KUBE-FORWARD', why: 'covered elsewhere' }] }
  t.strictSame(uncoveredIn(lab, forward), { why: 'covered elsewhere', listed: true })
  t.match(uncoveredIn({ uncovered: [] }, forward), { why: /ACCEPT/, listed: false })
  t.equal(uncoveredIn(lab, endpoint), undefined)
})

t.test('what drops is covered in every lab', async (t) => {
  t.equal(uncoveredIn({ uncovered: [] }, invalid), undefined)
})

t.test('a pattern that no rule is like is idle', async (t) => {
  const lab = { uncovered: ['KUBE-SEP-*', 'KUBE-XLB-*'].map((rules) => ({ rules, why: 'x' })) }
  t.strictSame(idlePatterns(lab, [endpoint, forward], modeOf('iptables')), ['KUBE-XLB-*'])
})

t.test('a pattern may hold for some nodes alone', async (t) => {
  const lab = { uncovered: [{ rules: 'KUBE-SEP-*', nodes: ['node-b'], why: 'x' }] }
  t.equal(uncoveredIn(lab, endpoint), undefined)
  t.strictSame(uncoveredIn(lab, { ...endpoint, node: 'node-b' }), { why: 'x', listed: true })
  t.strictSame(idlePatterns(lab, [endpoint], modeOf('iptables')), ['KUBE-SEP-*'])
})

t.test('a pattern is idle in the mode that it is about', async (t) => {
  const lab = { uncovered: ['KUBE-XLB-*', 'kube-proxy firewall-ips *'].map((rules) => ({ rules, why: 'x' })) }
  t.strictSame(idlePatterns(lab, [endpoint], modeOf('iptables')), ['KUBE-XLB-*'])
  t.strictSame(idlePatterns(lab, [endpoint], modeOf('nftables')), ['kube-proxy firewall-ips *'])
  const element = {
    node: 'node-a',
    table: 'kube-proxy',
    chain: 'firewall-ips',
    spec: '192.0.2.1 . tcp . 80 : drop',
  }
  t.strictSame(idlePatterns(lab, [element], modeOf('nftables')), [])
})
