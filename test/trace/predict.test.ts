import t from 'tap'
import type { TracedRule, TraceState } from '../../src/snapshot/model/state.js'
import { parseRule } from '../../src/netfilter/rules/parse.js'
import { parseReference, withoutRule } from '../../src/trace/rules/without.js'
import { chainsHit, hopTexts, tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const nodeport = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' }

t.test('a node port: two endpoints, one on each node', async (t) => {
  const { paths, complete } = tracedTo(nodeport)
  t.ok(complete)
  t.strictSame(
    paths.map(({ probability, end }) => [probability, end.kind]),
    [
      [0.5, 'answered'],
      [0.5, 'answered'],
    ],
  )
  const [near, far] = paths
  t.match(near && hopTexts(near), [
    'client: 172.18.1.2:* → 172.18.0.2:30080',
    'node-a: 172.18.1.2:* → 172.18.0.2:30080 ⇒ 10.244.1.1:* → 10.244.1.2:80',
    /^my-app-.*: 10\.244\.1\.1:\* → 10\.244\.1\.2:80$/,
    /^my-app-/,
    'node-a: 10.244.1.2:80 → 10.244.1.1:* ⇒ 172.18.0.2:30080 → 172.18.1.2:*',
    'client: 172.18.0.2:30080 → 172.18.1.2:*',
  ])
  t.match(far && hopTexts(far), [
    'client: 172.18.1.2:* → 172.18.0.2:30080',
    'node-a: 172.18.1.2:* → 172.18.0.2:30080 ⇒ 172.18.0.2:* → 10.244.2.2:80',
    'node-b: 172.18.0.2:* → 10.244.2.2:80',
    /^my-app-/,
    /^my-app-/,
    'node-b: 10.244.2.2:80 → 172.18.0.2:*',
    'node-a: 10.244.2.2:80 → 172.18.0.2:* ⇒ 172.18.0.2:30080 → 172.18.1.2:*',
    'client: 172.18.0.2:30080 → 172.18.1.2:*',
  ])
})

t.test('the rules on the way, with the field of the Service behind them', async (t) => {
  const [path] = tracedTo(nodeport).paths
  const hop = path?.hops[1]
  const chains = hop && chainsHit(hop).map((chain) => chain.replace(/^(KUBE-(?:EXT|SVC|SEP)-).*/, '$1'))
  t.strictSame(chains, [
    ...[
      'PREROUTING',
      'KUBE-SERVICES',
      'KUBE-NODEPORTS',
      'KUBE-EXT-',
      'KUBE-MARK-MASQ',
      'KUBE-SVC-',
      'KUBE-SEP-',
    ],
    ...['FORWARD', 'KUBE-FORWARD', 'POSTROUTING', 'KUBE-POSTROUTING'],
  ])
  const rule = hop?.steps.find(
    (step) => step.kind === 'rule' && step.chain === 'KUBE-NODEPORTS' && step.holds === 'yes',
  )
  t.match(rule, { object: { name: 'my-nodeport-service' }, why: /^spec\.ports\[\]\.nodePort/ })
})

t.test('a port where nothing listens', async (t) => {
  const { paths } = tracedTo({ ...nodeport, to: '{node-a}:29999' })
  t.equal(paths.length, 1)
  t.match(paths[0]?.end, { kind: 'refused', place: 'node-a', caller: 'connection refused' })
})

t.test(
  'a pod that reaches itself through its Service is masqueraded, and its bridge sends the packet back',
  async (t) => {
    const { paths } = tracedTo({ lab: 'clusterip', from: 'alone', to: '{mirror}:80' })
    t.equal(paths.length, 1)
    t.equal(paths[0]?.end.kind, 'answered')
    t.equal(
      paths[0] && hopTexts(paths[0])[1],
      'node-a: 10.244.1.2:* → 10.96.1.2:80 ⇒ 10.244.1.1:* → 10.244.1.2:8080',
    )
  },
)

t.test('without hairpin on its port the bridge drops it', async (t) => {
  const change = (state: TraceState): TraceState => {
    const ports = state.network.ports.map((port) => ({ ...port, hairpin: false }))
    return { ...state, network: { ...state.network, ports } }
  }
  const { paths } = tracedTo({ lab: 'clusterip', from: 'alone', to: '{mirror}:80', change })
  t.match(paths[0]?.end, { kind: 'dropped', place: 'node-a', reason: /hairpin is off/ })
})

t.test('where hairpin is not known, neither is what the bridge does', async (t) => {
  const change = (state: TraceState): TraceState => {
    const ports = state.network.ports.map((port) => ({ ...port, hairpin: undefined }))
    return { ...state, network: { ...state.network, ports } }
  }
  const { paths } = tracedTo({ lab: 'clusterip', from: 'alone', to: '{mirror}:80', change })
  t.match(paths[0]?.end, { kind: 'untraceable', place: 'node-a', reason: /\(hairpin\) is not known/ })
})

t.test('bridges that bypass iptables: the answer does not come from the called address', async (t) => {
  const change = (state: TraceState): TraceState => ({
    ...state,
    sysctls: new Map(
      [...state.sysctls].map(([place, all]) => [place, { ...all, 'net.bridge.bridge-nf-call-iptables': 0 }]),
    ),
  })
  const { paths } = tracedTo({ lab: 'clusterip', from: 'caller', to: '{shop}:80', change })
  const near = paths.find(({ receiver }) => receiver?.socket.address.startsWith('10.244.1.'))
  t.match(near?.end, { kind: 'misrouted', place: 'caller', reason: /the answer comes from 10\.244\.1\.4/ })
})

t.test(
  'an endpoint that no host has, behind the bridge of the caller: FORWARD does not see the packet',
  async (t) => {
    const change = withRules('node-a', [
      'nat -A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.244.1.77:80',
    ])
    const { paths } = tracedTo({ lab: 'clusterip', from: 'caller', to: '{shop}:80', change })
    const [gone] = paths
    t.match(gone?.end, { kind: 'unreachable', place: 'node-a', reason: 'no host on cni0 has 10.244.1.77' })
    const hooks = gone?.hops.at(-1)?.steps.flatMap((step) => (step.kind === 'rule' ? [step.hook] : []))
    t.strictSame([...new Set(hooks)], ['prerouting'])
    // where bridges do not pass packets to iptables, the node forwards it first
    const apart = tracedTo({
      ...{ lab: 'clusterip', from: 'caller', to: '{shop}:80' },
      change: (state) => ({
        ...change(state),
        sysctls: new Map(
          [...state.sysctls].map(([place, all]) => [
            place,
            { ...all, 'net.bridge.bridge-nf-call-iptables': 0 },
          ]),
        ),
      }),
    })
    const routed = apart.paths.find(({ end }) => end.kind === 'unreachable')
    t.ok(routed?.hops.at(-1)?.steps.some((step) => step.kind === 'rule' && step.hook === 'forward'))
  },
)

t.test('a ping to a cluster IP: no host has a route to it', async (t) => {
  const { paths } = tracedTo({ lab: 'clusterip', from: 'caller', to: '{shop}', protocol: 'icmp' })
  t.match(paths[0]?.end, { kind: 'unroutable', place: 'fabric', caller: 'unreachable' })
})

t.test('IPv6 has the same paths', async (t) => {
  const { paths } = tracedTo({ ...nodeport, options: { families: ['IPv6'] } })
  t.strictSame(
    paths.map(({ end }) => end.kind),
    ['answered', 'answered'],
  )
  t.match(paths[1] && hopTexts(paths[1])[1], /^node-a: \[fd.*\]:\* → \[.*\]:30080 ⇒ \[.*\]:\* → \[.*\]:80$/)
})

t.test('without the rule that masquerades, the answer of the other node goes past node-a', async (t) => {
  const reference = parseReference('node-a KUBE-POSTROUTING 3')
  const { paths } = tracedTo({
    ...nodeport,
    change: (state) => (reference ? withoutRule(state, reference) : state),
  })
  const far = paths.find(({ receiver }) => receiver?.socket.address.startsWith('10.244.2.'))
  t.match(far?.end, { kind: 'misrouted', place: 'client', reason: /the answer comes from 10\.244\.2\.2/ })
})

t.test('a condition that the state does not decide forks, and is named', async (t) => {
  const rule = (spec: string): TracedRule => ({ spec, rule: parseRule(spec) })
  const change = (state: TraceState): TraceState =>
    atTop(state, 'node-a', [rule('-p tcp -m tcp --dport 80 -m time --timestart 10:00:00 -j DROP')])
  const { paths } = tracedTo({ ...nodeport, change })
  t.strictSame(
    paths.map(({ end, choices }) => [
      end.kind,
      choices.filter(({ kind }) => kind === 'unknown').map(({ taken }) => taken),
    ]),
    [
      ['dropped', ['applies']],
      ['answered', ['does not apply']],
      ['dropped', ['applies']],
      ['answered', ['does not apply']],
    ],
  )
  t.match(paths[0]?.choices.at(-1)?.question, /^filter FORWARD 1: --timestart 10:00:00/)
  t.match(paths[0]?.end.rule, { chain: 'FORWARD', number: 1 })
})

t.test('requests that cannot be predicted', async (t) => {
  const message = (asked: Partial<typeof nodeport> & { source?: string; sourceAddress?: string }) => {
    try {
      tracedTo({ ...nodeport, ...asked })
      return 'predicted'
    } catch (error) {
      return (error as Error).message
    }
  }
  t.match(
    message({ to: 'http://my-service/' }),
    /"my-service" is not an address, and client does not use the DNS of the cluster/,
  )
  t.match(message({ to: '{node-x}:80' }), /there is no node, client, pod or Service named "node-x"/)
  t.match(message({ to: '{node-a}' }), /has no port/)
  t.equal(message({ to: 'http://{node-a}:30080/udp' }), 'predicted')
  for (const to of ['udp://{node-a}:53', '{node-a}:53/udp', '{node-a}:53/UDP'])
    t.match(message({ to }), /is not an http.*; write \{node-a\}:53 --udp$/)
  t.match(message({ from: 'nobody' }), /named "nobody"/)
  t.match(message({ sourceAddress: '10.0.0.1' }), /10\.0\.0\.1 is not an IPv4 address of client/)
  t.match(message({ to: 'http://239.1.1.1/' }), /multicast/)
})

t.test('a rule that does not exist cannot be left out', async (t) => {
  const left = (text: string) => () => {
    const reference = parseReference(text)
    if (reference !== undefined) tracedTo({ ...nodeport, change: (state) => withoutRule(state, reference) })
  }
  t.throws(left('node-a KUBE-POSTROUTING 9'), {
    message: /nat KUBE-POSTROUTING of node-a has 3 rules, and no rule 9/,
  })
  t.throws(left('node-a KUBE-SEP-* 1'), { message: /means more than one chain/ })
  t.throws(left('node-c KUBE-POSTROUTING 1'), { message: /no node "node-c" has rules/ })
  t.throws(left('node-a KUBE-POSTROUTINGS 1'), { message: /has no chain "KUBE-POSTROUTINGS"/ })
  for (const text of ['', 'node-a 1', 'node-a nat X one', 'a b c d 1'])
    t.equal(parseReference(text), undefined, text)
})

function atTop(state: TraceState, node: string, rules: readonly TracedRule[]): TraceState {
  const families = state.rules.get(node)
  const tables = families?.IPv4
  const filter = tables?.get('filter')
  const forward = filter?.get('FORWARD')
  if (!families || !tables || !filter || !forward) return state
  const changed = new Map(filter).set('FORWARD', { ...forward, rules: [...rules, ...forward.rules] })
  const own = { ...families, IPv4: new Map(tables).set('filter', changed) }
  return { ...state, rules: new Map(state.rules).set(node, own) }
}
