import * as fc from 'fast-check'
import t from 'tap'
import { defaultMode } from '../../src/agents/kubeProxy/modes.js'
import { policiesOnNode } from '../../src/agents/networkPolicy/agent.js'
import { compiledOnce } from '../../src/agents/networkPolicy/compiledOnce.js'
import { rangeEntries } from '../../src/agents/networkPolicy/ranges.js'
import { policyChanges } from '../../src/agents/networkPolicy/restore.js'
import { policyWriter } from '../../src/agents/networkPolicy/state.js'
import type { Cluster } from '../../src/cluster/types.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { agentNode } from '../../src/topology/agentNode.js'
import { modelCluster, policy } from '../cluster/policies/model.js'
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
  const moved = {
    ...before,
    pods: before.pods.map((pod) =>
      pod.metadata.name === 'b' && pod.metadata.namespace === 'x'
        ? { ...pod, metadata: { ...pod.metadata, labels: { pod: 'c' } } }
        : pod,
    ),
  }
  t.same(policyChanges(tables, tablesOf(moved), 'IPv4'), {
    setsBefore: '',
    rules: policyChanges(tables, tablesOf(moved), 'IPv4').rules,
    setsAfter: 'destroy KUBE-SRC-3TXJ6SG7GNCSA3B4\n',
  })
  t.match(
    policyChanges(tables, tablesOf(moved), 'IPv4').rules,
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
  t.end()
})
