import * as fc from 'fast-check'
import t from 'tap'
import { defaultMode } from '../../src/agents/kubeProxy/modes.js'
import { nftablesMode } from '../../src/agents/kubeProxy/nftables/mode.js'
import { policiesOnNode } from '../../src/agents/networkPolicy/agent.js'
import { compiledOnce } from '../../src/agents/networkPolicy/compiledOnce.js'
import { deleteChains, policyTransaction } from '../../src/agents/networkPolicy/nftTable.js'
import { intervalTexts, rangeEntries } from '../../src/agents/networkPolicy/ranges.js'
import { policyChanges } from '../../src/agents/networkPolicy/restore.js'
import { policyWriter } from '../../src/agents/networkPolicy/state.js'
import type { Cluster } from '../../src/cluster/types.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { agentNode } from '../../src/topology/agentNode.js'
import { clusterPolicy, modelCluster, policy } from '../cluster/policies/model.js'
import { changedCluster, randomChange } from '../cluster/policies/randomChanges.js'
import { randomPolicies } from '../cluster/policies/randomPolicies.js'

const { topology } = prepareLab('labs/nodeport')
const [first] = topology.nodes
if (first === undefined) throw new Error('no node')
const node = agentNode(topology, first, defaultMode)

const tablesOf = (cluster: Cluster) => policiesOnNode(cluster, node, 'IPv4')
const a = { matchLabels: { pod: 'a' } }
const b = { matchLabels: { pod: 'b' } }
const fromB = policy({ podSelector: a, ingress: [{ from: [{ podSelector: b }], ports: [{ port: 80 }] }] })

const moved = (before: Cluster): Cluster => ({
  ...before,
  pods: before.pods.map((pod) =>
    pod.metadata.name === 'b' && pod.metadata.namespace === 'x'
      ? { ...pod, metadata: { ...pod.metadata, labels: { pod: 'c' } } }
      : pod,
  ),
})

t.test('chains and sets have the names and forms of kube-router', (t) => {
  const { setsBefore, rules, setsAfter } = policyChanges(undefined, tablesOf(modelCluster([fromB])), 'IPv4')
  const lines = rules.split('\n')
  // ZTGI… is base32(sha256("xpolicyIPv4")) and 3TXJ… base32(sha256("xpolicyingressrule0IPv4pod")), shortened as in kube-router
  t.same(
    lines.filter((line) => line.startsWith('-A KUBE-NWPLCY-ZTGIIHWK4IJZSL6A')),
    [
      '-A KUBE-NWPLCY-ZTGIIHWK4IJZSL6A -p tcp -m comment --comment "x/policy ingress pods" -m set --match-set KUBE-SRC-3TXJ6SG7GNCSA3B4 src -m set --match-set KUBE-DST-ZTGIIHWK4IJZSL6A dst -m tcp --dport 80 -j MARK --set-xmark 0x10000/0x10000',
      '-A KUBE-NWPLCY-ZTGIIHWK4IJZSL6A -p tcp -m comment --comment "x/policy ingress pods" -m set --match-set KUBE-SRC-3TXJ6SG7GNCSA3B4 src -m set --match-set KUBE-DST-ZTGIIHWK4IJZSL6A dst -m tcp --dport 80 -m mark --mark 0x10000/0x10000 -j RETURN',
    ],
  )
  t.same(
    lines.filter((line) => line.startsWith('-A KUBE-POD-FW-R4TNN7RKHWX5QKAI')).map((line) => line.slice(32)),
    [
      '-m comment --comment "common netpol rules" -j KUBE-NWPLCY-COMMON',
      '-d 10.244.1.2/32 -m comment --comment "from local node" -m addrtype --src-type LOCAL -j ACCEPT',
      '-s 10.244.1.2/32 -m comment --comment "default egress" -j KUBE-NWPLCY-DEFAULT',
      '-d 10.244.1.2/32 -m comment --comment "x/policy policy" -j KUBE-NWPLCY-ZTGIIHWK4IJZSL6A',
      '-m comment --comment "x/a log-drop" -m mark ! --mark 0x10000/0x10000 -m limit --limit 10/min --limit-burst 10 -j NFLOG --nflog-group 100',
      '-m comment --comment "x/a reject" -m mark ! --mark 0x10000/0x10000 -j REJECT --reject-with icmp-port-unreachable',
      '-j MARK --set-xmark 0x0/0x10000',
      '-m comment --comment "set netpol-ok mark" -j MARK --set-xmark 0x20000/0x20000',
    ],
  )
  t.match(
    setsBefore,
    /^create KUBE-DST-ZTGIIHWK4IJZSL6A hash:ip timeout 0\nadd \S+ 10\.244\.1\.2 timeout 0$/m,
  )
  t.match(
    rules,
    /^-I FORWARD -m comment --comment "kube-router netpol - [A-Z2-7]{16}" -j KUBE-ROUTER-FORWARD$/m,
  )
  t.equal(setsAfter, '')
  t.end()
})

t.test('a change writes only what differs', (t) => {
  const before = modelCluster([fromB])
  const tables = tablesOf(before)
  t.same(policyChanges(tables, tablesOf(moved(before)), 'IPv4'), {
    setsBefore: '',
    rules: policyChanges(tables, tablesOf(moved(before)), 'IPv4').rules,
    setsAfter: 'destroy KUBE-SRC-3TXJ6SG7GNCSA3B4\n',
  })
  t.match(
    policyChanges(tables, tablesOf(moved(before)), 'IPv4').rules,
    /^\*filter\n:KUBE-NWPLCY-ZTGIIHWK4IJZSL6A - \[0:0\]\nCOMMIT\n$/,
  )
  t.same(policyChanges(tables, tablesOf({ ...before, pods: [...before.pods] }), 'IPv4'), {
    ...{ setsBefore: '', rules: '', setsAfter: '' },
  })
  const { rules, setsAfter } = policyChanges(tables, undefined, 'IPv4')
  t.match(rules, /^-D FORWARD .*\n(.*\n)*-X KUBE-ROUTER-INPUT$/m)
  t.equal(setsAfter.split('destroy').length - 1, tables?.policies.sets.size)
  t.end()
})

const nativeNode = agentNode(topology, first, nftablesMode)
const native = (cluster: Cluster, family: IpFamily = 'IPv4') => policiesOnNode(cluster, nativeNode, family)
const linesOf = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.split(' ')[4] === name)
    .map((line) => line.replace(/ ip6? kube-router-filter-ipv[46]/, ''))

t.test('in nftables they are one table, with the names and comments of the same policies', (t) => {
  const peers = [{ podSelector: b }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }]
  const ports = [
    ...[{ port: 80 }, { protocol: 'SCTP', port: 80, endPort: 90 }, { protocol: 'UDP' }],
    { port: 'serve-81-tcp' },
  ]
  const given = policy({ podSelector: a, ingress: [{ from: peers, ports }] })
  const { text, emptied } = policyTransaction(undefined, native(modelCluster([given])), 'IPv4')
  t.same(emptied, [])
  const [own, pods] = ['@KUBE-DST-ZTGIIHWK4IJZSL6A', '@KUBE-SRC-3TXJ6SG7GNCSA3B4']
  const allows = 'meta mark set meta mark | 0x00010000 return comment "x/policy spec.ingress[0]"'
  t.same(linesOf(text, 'KUBE-NWPLCY-ZTGIIHWK4IJZSL6A').slice(0, 5), [
    'add chain KUBE-NWPLCY-ZTGIIHWK4IJZSL6A',
    `add rule KUBE-NWPLCY-ZTGIIHWK4IJZSL6A ip saddr ${pods} ip daddr ${own} tcp dport 80 ${allows}`,
    `add rule KUBE-NWPLCY-ZTGIIHWK4IJZSL6A ip saddr ${pods} ip daddr ${own} sctp dport 80-90 ${allows}`,
    `add rule KUBE-NWPLCY-ZTGIIHWK4IJZSL6A ip saddr ${pods} ip daddr ${own} meta l4proto udp ${allows}`,
    `add rule KUBE-NWPLCY-ZTGIIHWK4IJZSL6A ip saddr ${pods} ip daddr @KUBE-DST-7KBGJMUXCKYSV7JU tcp dport 81 ${allows}`,
  ])
  t.same(linesOf(text, 'KUBE-SRC-YZZT3B23D5YJM4CF'), [
    'add set KUBE-SRC-YZZT3B23D5YJM4CF { type ipv4_addr ; flags interval ; comment "x/policy spec.ingress[0]" ; }',
    'add element KUBE-SRC-YZZT3B23D5YJM4CF { 10.0.0.0/16, 10.2.0.0-10.255.255.255 }',
  ])
  t.same(linesOf(text, 'KUBE-POD-FW-R4TNN7RKHWX5QKAI').slice(4, 7), [
    'add rule KUBE-POD-FW-R4TNN7RKHWX5QKAI ip daddr 10.244.1.2 jump KUBE-NWPLCY-ZTGIIHWK4IJZSL6A comment "x/policy spec.podSelector"',
    'add rule KUBE-POD-FW-R4TNN7RKHWX5QKAI meta mark & 0x00010000 != 0x00010000 limit rate 10/minute burst 10 packets log group 100 comment "x/a log-drop"',
    'add rule KUBE-POD-FW-R4TNN7RKHWX5QKAI meta mark & 0x00010000 != 0x00010000 reject comment "x/a reject"',
  ])
  t.same(linesOf(text, 'KUBE-ROUTER-FORWARD').slice(0, 3), [
    'add chain KUBE-ROUTER-FORWARD { type filter hook forward priority 0 ; }',
    'add rule KUBE-ROUTER-FORWARD ip saddr vmap @KUBE-POD-FW',
    'add rule KUBE-ROUTER-FORWARD ip daddr vmap @KUBE-POD-FW',
  ])
  t.match(
    linesOf(text, 'KUBE-POD-FW')[1],
    'add element KUBE-POD-FW { 10.244.1.2 comment "x/a" : jump KUBE-POD-FW-R4TNN7RKHWX5QKAI }',
  )
  t.equal(linesOf(text, 'KUBE-ROUTER-INPUT').filter((line) => line.includes('daddr vmap')).length, 0)
  const ipv6 = policyTransaction(undefined, native(modelCluster([given], ['IPv4', 'IPv6']), 'IPv6'), 'IPv6')
  t.match(ipv6.text, /^add table ip6 kube-router-filter-ipv6 /)
  t.match(ipv6.text, / ip6 saddr @KUBE-SRC-[A-Z2-7]{16} ip6 daddr @KUBE-DST-[A-Z2-7]{16} tcp dport 80 /)
  t.match(ipv6.text, /KUBE-NWPLCY-COMMON icmpv6 type nd-neighbor-solicit accept/)
  t.end()
})

t.test('rules of ClusterNetworkPolicies in nftables', (t) => {
  const inX = { namespaces: { matchLabels: { ns: 'x' } } }
  const actions = ['Accept', 'Deny', 'Pass']
  const ingress = actions.map((action) => ({ action, from: [inX] }))
  const guard = clusterPolicy({ tier: 'Admin', priority: 1, subject: { namespaces: {} }, ingress }, 'guard')
  const { text } = policyTransaction(undefined, native(modelCluster([guard])), 'IPv4')
  const rules = text.split('\n').filter((line) => line.startsWith('add rule') && line.includes('KUBE-CNPLCY'))
  t.match(rules, [
    / meta mark set meta mark \| 0x00010000 return comment "guard spec\.ingress\[0\]"$/,
    / reject comment "guard spec\.ingress\[1\]"$/,
    / meta mark set meta mark \| 0x00040000 return comment "guard spec\.ingress\[2\]"$/,
    / ip daddr 10\.244\.1\.2 meta mark & 0x00050000 == 0x00000000 jump KUBE-CNPLCY-\S+ comment "guard spec\.subject"$/,
  ])
  t.match(text, /meta mark set meta mark & 0xfffbffff comment "end of tier Admin"/)
  t.end()
})

t.test('a change of the table writes only what differs', (t) => {
  const before = modelCluster([fromB])
  const tables = native(before)
  const change = (cluster: Cluster | undefined) => {
    const { text, emptied } = policyTransaction(tables, cluster && native(cluster), 'IPv4')
    return { lines: text.split('\n').map((line) => line.replace(' ip kube-router-filter-ipv4', '')), emptied }
  }
  t.same(change(moved(before)), {
    lines: ['flush chain KUBE-NWPLCY-ZTGIIHWK4IJZSL6A', 'delete set KUBE-SRC-3TXJ6SG7GNCSA3B4', ''],
    emptied: [],
  })
  t.same(change({ ...before, pods: [...before.pods] }), { lines: [''], emptied: [] })
  const without = { ...before, pods: before.pods.filter(({ metadata }) => metadata.name !== 'a') }
  t.same(change(without), {
    lines: [
      'delete element KUBE-POD-FW { 10.244.1.2 }',
      'delete element KUBE-POD-FW { 10.244.1.4 }',
      'delete element KUBE-POD-FW { 10.244.1.6 }',
      'delete element KUBE-DST-ZTGIIHWK4IJZSL6A { 10.244.1.2 }',
      'flush chain KUBE-POD-FW-R4TNN7RKHWX5QKAI',
      'flush chain KUBE-POD-FW-MZRRAOR6I7X4Q6PK',
      'flush chain KUBE-POD-FW-HRBNTLEYA657SF2F',
      '',
    ],
    emptied: ['KUBE-POD-FW-R4TNN7RKHWX5QKAI', 'KUBE-POD-FW-MZRRAOR6I7X4Q6PK', 'KUBE-POD-FW-HRBNTLEYA657SF2F'],
  })
  t.same(change(undefined), { lines: ['delete table', ''], emptied: [] }, 'the last policy')
  const [one] = before.pods
  const twice = one && { ...one, metadata: { ...one.metadata, name: 'twin', labels: {} } }
  const twins = native({ ...before, pods: [...before.pods, ...(twice ? [twice] : [])] })
  const { text } = policyTransaction(undefined, twins, 'IPv4')
  t.equal(text.match(/ 10\.244\.1\.2 comment "x\/\w+"/g)?.join(), ' 10.244.1.2 comment "x/a"', 'one address')
  t.equal(deleteChains(['KUBE-POD-FW-A'], 'IPv6'), 'delete chain ip6 kube-router-filter-ipv6 KUBE-POD-FW-A\n')
  t.end()
})

t.test('tables that follow changes are those of a new agent', (t) => {
  fc.assert(
    fc.property(
      randomPolicies,
      fc.array(randomChange, { minLength: 1, maxLength: 4 }),
      (policies, changes) => {
        const [compiled, write] = [compiledOnce(), policyWriter()]
        const textOf = (compile: typeof compiled, writer: typeof write, cluster: Cluster) =>
          policyChanges(undefined, writer(compile(cluster, 'IPv4'), node, 'IPv4'), 'IPv4')
        let cluster = modelCluster(policies)
        textOf(compiled, write, cluster)
        for (const one of changes) {
          cluster = changedCluster(cluster, one)
          const fresh = textOf(compiledOnce(), policyWriter(), cluster)
          const followed = textOf(compiled, write, cluster)
          // entries of sets have no order
          t.same(sorted(followed), sorted(fresh))
        }
      },
    ),
    { numRuns: 15 },
  )
  t.end()
})

function sorted({ setsBefore, rules }: { readonly setsBefore: string; readonly rules: string }): string[] {
  return [...setsBefore.split('\n').sort(), rules]
}

t.test('without policies, and where nothing enforces them, nothing is written', (t) => {
  t.equal(tablesOf(modelCluster([])), undefined)
  t.equal(policiesOnNode(modelCluster([fromB]), { ...node, enforcesPolicies: false }, 'IPv4'), undefined)
  t.end()
})

t.test('blocks of one rule become the entries of one set', (t) => {
  const text = (...blocks: readonly { cidr: string; except?: string[] }[]) =>
    rangeEntries(blocks, 'IPv4').map(({ range, isException }) => (isException ? `not ${range}` : range))
  t.same(text({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }), ['10.0.0.0/8', 'not 10.1.0.0/16'])
  // what one block leaves out, another allows
  t.same(text({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }, { cidr: '10.0.0.0/12' }), [
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.0.0.0/12',
  ])
  t.same(text({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }, { cidr: '10.1.2.3/32' }), [
    '10.0.0.0/8',
    'not 10.1.0.0/16',
    '10.1.2.3',
  ])
  t.same(text({ cidr: '0.0.0.0/0' }, { cidr: '::/0' }), ['0.0.0.0/1', '128.0.0.0/1'])
  t.same(text({ cidr: '0.0.0.0/0', except: ['128.0.0.0/1'] }), ['0.0.0.0/1', 'not 128.0.0.0/1'])
  t.end()
})

t.test('as intervals, they do not overlap or touch', (t) => {
  const text = (...blocks: readonly { cidr: string; except?: string[] }[]) =>
    intervalTexts(rangeEntries(blocks, blocks[0]?.cidr.includes(':') === true ? 'IPv6' : 'IPv4'))
  t.same(text({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }), ['10.0.0.0/16', '10.2.0.0-10.255.255.255'])
  t.same(text({ cidr: '0.0.0.0/0' }), ['0.0.0.0/0'])
  t.same(text({ cidr: '::/0', except: ['8000::/1'] }), ['::/1'])
  t.same(text({ cidr: '10.0.0.0/9' }, { cidr: '10.128.0.0/9' }), ['10.0.0.0/8'])
  t.same(text({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }, { cidr: '10.1.2.3/32' }), [
    '10.0.0.0/16',
    '10.1.2.3',
    '10.2.0.0-10.255.255.255',
  ])
  t.same(text({ cidr: '10.0.0.0/30', except: ['10.0.0.0/30'] }), [])
  t.end()
})
