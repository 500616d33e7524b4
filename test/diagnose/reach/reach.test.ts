import t from 'tap'
import { compareReach, type ReachComparison } from '../../../src/diagnose/reach/compare.js'
import { cellOf, endsText } from '../../../src/diagnose/reach/cell.js'
import { constantsOf } from '../../../src/diagnose/reach/cuts.js'
import { knownDifferences } from '../../../src/diagnose/reach/known.js'
import { withOtherProxy, type OtherProxy } from '../../../src/diagnose/reach/otherProxy.js'
import { reach } from '../../../src/diagnose/reach/reach.js'
import { Sources } from '../../../src/diagnose/reach/sources.js'
import { defaultConfiguration } from '../../../src/agents/kubeProxy/configDefaults.js'
import { plannedState } from '../../../src/snapshot/fromPlan/plannedState.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { loadRestore } from '../../../src/snapshot/rules/loadRestore.js'
import type { Snapshot } from '../../../src/snapshot/model/snapshot.js'
import { predictor } from '../../../src/trace/predict.js'
import { isFull, runs } from '../../suite.js'
import { firstPacket } from '../../../src/trace/request.js'

/** Documented differences that every cluster has between the modes iptables and nftables. */
const always = ['ping-of-cluster-ip', 'unallocated-cluster-ip', 'unserved-port']

function codesOf({ groups }: ReachComparison): string[] {
  return [...new Set(groups.map(({ known, says }) => known?.code ?? says))].sort()
}

function against(snapshot: Snapshot, other: OtherProxy): ReachComparison {
  return compareReach(snapshot, withOtherProxy(snapshot, other), { sameCluster: true })
}

t.test('what a lab promises is reached, and each request is decided', (t) => {
  for (const name of ['clusterip', 'nodeport', 'session-affinity', 'external-ips'].slice(0, runs(4, 2))) {
    const { broken, decided, unknown } = reach(planSnapshot(name))
    t.same(broken, [], name)
    t.equal(unknown.size, 0, name)
    t.ok(decided > 40, `${name}: ${decided}`)
  }
  t.end()
})

t.test('a rule that drops what the objects promise is found', (t) => {
  const snapshot = withFilter(planSnapshot('clusterip'), '-A FORWARD -s 10.244.0.0/16 -p tcp -j DROP')
  const { broken } = reach(snapshot)
  t.ok(broken.length > 0)
  t.match(broken[0]?.says, /times out/)
  t.match(broken[0]?.cell.rule, { chain: 'FORWARD', table: 'filter' })
  t.end()
})

t.test('each mode differs only in what is documented, and in what a lab has', (t) => {
  for (const [name, codes] of [
    ['clusterip', always],
    ['external-ips', always],
    ['nodeport', ['loopback-node-port', 'node-port-addresses', ...always]],
    ...(isFull ? ([['nodeport-localhost-off', ['node-port-addresses', ...always]]] as const) : []),
    ['no-endpoints', ['loopback-node-port', 'no-endpoints', 'node-port-addresses', ...always]],
  ] as const) {
    const compared = against(planSnapshot(name), { mode: 'nftables' })
    t.same(codesOf(compared), [...codes].sort(), name)
    for (const { counterexample, known } of compared.groups) {
      t.match(known?.link, /^https:\/\//)
      t.not(endsText(counterexample.before ?? { ends: [] }), endsText(counterexample.after ?? { ends: [] }))
    }
  }
  t.end()
})

t.test('each documented difference is found where a cluster shows it, and named', (t) => {
  const withConfig = (fields: object): Snapshot => {
    const { model, ...snapshot } = planSnapshot('nodeport')
    const { kubeProxy } = model
    if (kubeProxy.kind === 'none') throw new Error('the lab has a kube-proxy')
    const config = { ...kubeProxy.config, ...fields }
    const next = { ...model, kubeProxy: { ...kubeProxy, config } }
    return { ...snapshot, model: next, state: plannedState(next) }
  }
  const dnat = '-A PREROUTING -p tcp --dport 30080 -j DNAT --to-destination 10.244.1.2:8080'
  const found: readonly (readonly [string, Snapshot, OtherProxy])[] = [
    ['session-affinity', planSnapshot('session-affinity'), { mode: 'ipvs' }],
    ['load-balancer-address', planSnapshot('external-ips'), { mode: 'ipvs' }],
    ['health-check', planSnapshot('loadbalancer'), { mode: 'userspace', version: 25 }],
    ['relayed', planSnapshot('clusterip'), { mode: 'userspace', version: 25 }],
    ['firewall', withPolicy({ ...planSnapshot('nodeport'), basis: 'kernel' }), { mode: 'nftables' }],
    ['one-family', planSnapshot('dual-stack'), { mode: 'userspace', version: 25 }],
    ['terminating-endpoints', withTerminating(planSnapshot('nodeport')), { version: 25 }],
    [
      'masquerade-all',
      withConfig({ iptables: { ...defaultConfiguration.iptables, masqueradeAll: true } }),
      { mode: 'nftables' },
    ],
    [
      'other-rules',
      withRule({ ...planSnapshot('nodeport'), basis: 'kernel' }, 'nat', dnat),
      { mode: 'nftables' },
    ],
  ]
  for (const [code, snapshot, other] of found) {
    const codes = codesOf(against(snapshot, other))
    t.ok(codes.includes(code), `${code}: ${codes.join()}`)
  }
  const codes = against(planSnapshot('clusterip'), { mode: 'nftables' }).features.map(({ code }) => code)
  t.ok(codes.includes('invalid-drop'))
  t.notOk(
    against(planSnapshot('clusterip'), { mode: 'iptables' }).features.some(
      ({ code }) => code === 'invalid-drop',
    ),
  )
  const proven = new Set([
    ...always,
    'loopback-node-port',
    'node-port-addresses',
    'no-endpoints',
    'invalid-drop',
  ])
  for (const [code] of found) proven.add(code)
  t.same([...proven].sort(), Object.keys(knownDifferences).sort(), 'each known difference has a test')
  t.end()
})

t.test('the same kube-proxy differs in nothing', (t) => {
  const snapshot = planSnapshot('nodeport')
  const { groups, decided } = against(snapshot, { mode: 'iptables' })
  t.same(groups, [])
  t.ok(decided > 40)
  t.end()
})

t.test('versions differ in what their features say', (t) => {
  const { groups, features } = against(withOtherProxy(planSnapshot('clusterip'), { mode: 'nftables' }), {
    version: 32,
  })
  t.same(
    groups.map(({ known }) => known?.code),
    ['unallocated-cluster-ip'],
  )
  t.ok(features.some(({ code }) => code === 'unallocatedDropped'))
  t.end()
})

t.test('rules that were read are replaced as the other kube-proxy would write them', (t) => {
  for (const name of ['nodeport', 'session-affinity'].slice(0, runs(2, 1)))
    for (const mode of ['nftables', 'ipvs', 'iptables'] as const) {
      const planned = planSnapshot(name)
      const read = withOtherProxy({ ...planned, basis: 'kernel' }, { mode })
      const { groups, decided } = compareReach(read, withOtherProxy(planned, { mode }), { sameCluster: true })
      t.same(
        groups.map(({ says, before, after }) => `${says}: ${before}, ${after}`),
        [],
        `${name} in ${mode}`,
      )
      t.ok(decided > 40)
    }
  t.end()
})

t.test('rules of other programs stay', (t) => {
  const planned: Snapshot = { ...planSnapshot('nodeport'), basis: 'kernel' }
  const snapshot = withFilter(planned, '-A INPUT -p tcp --dport 30080 -j DROP')
  const other = withOtherProxy(snapshot, { mode: 'nftables' })
  const chains = other.state.rules.get('node-a')?.IPv4?.get('filter')
  t.same(
    chains?.get('INPUT')?.rules.map(({ spec }) => spec),
    ['-p tcp --dport 30080 -j DROP'],
  )
  t.end()
})

t.test('a source range cuts the addresses outside', (t) => {
  const snapshot = withFilter(planSnapshot('nodeport'), '-A INPUT -s 198.51.100.0/24 -p tcp -j ACCEPT')
  const classes = new Sources(snapshot, constantsOf([snapshot.state])).outside(undefined, 'IPv4')
  const inside = classes.filter(({ address }) => address?.startsWith('198.51.100.') === true)
  t.equal(inside.length, 1)
  t.ok(classes.length >= 3)
  t.end()
})

t.test('no host has the address of a network, or of all its hosts', (t) => {
  const { state, ...rest } = planSnapshot('nodeport')
  const routes = ['172.18.0.0', '172.18.255.255'].map((to) => ({ netns: 'node-a', to, device: 'eth0' }))
  const network = { ...state.network, routes: [...state.network.routes, ...routes] }
  const snapshot = { ...rest, state: { ...state, network } }
  const classes = new Sources(snapshot, constantsOf([snapshot.state])).outside(undefined, 'IPv4')
  t.ok(classes.length > 1)
  t.same(
    classes.flatMap(({ address = '' }) => (/^172\.18\.(0\.0|255\.255)$/.test(address) ? address : [])),
    [],
  )
  t.end()
})

t.test('what is decided for one of a class holds for all of it', (t) => {
  for (const name of ['clusterip', 'session-affinity', 'host-port'].slice(0, runs(3, 1))) {
    const { state, model, ...rest } = planSnapshot(name)
    const snapshot = { state, model, ...rest }
    const predict = predictor(state)
    const sources = new Sources(snapshot, constantsOf([state]))
    for (const service of model.cluster.services) {
      const { clusterIP = '', ports = [] } = service.spec
      if (!/^\d/.test(clusterIP)) continue
      const full = `${service.metadata.namespace ?? 'default'}/${service.metadata.name}`
      for (const one of sources.pods(model.topology.nodes, full).filter(({ kind }) => kind === 'pod')) {
        const representative = model.topology.pods.find(({ netns }) => netns === one.from)
        const named = new Set(
          sources
            .pods(model.topology.nodes, full)
            .flatMap(({ kind, from }) => (kind === 'endpoint' ? [from] : [])),
        )
        const members = model.topology.pods.filter(
          ({ node, netns }) => node === one.node && !named.has(netns),
        )
        if (members.length !== one.members) continue
        for (const { netns } of members) {
          const endOf = (from: string) => {
            const port = ports[0]?.port ?? 0
            const protocol = ports[0]?.protocol === 'UDP' ? 'udp' : 'tcp'
            const { ends, sender } = cellOf(
              predict(from, firstPacket(state, { from, protocol, address: clusterIP, port })),
              snapshot,
            )
            return endsText({ ends, sender })
          }
          t.equal(endOf(netns), endOf(representative?.netns ?? ''), `${name} ${full} from ${netns}`)
        }
      }
    }
  }
  t.end()
})

/** The snapshot with one more rule in front of a chain of filter of node-a and node-b. */
function withFilter(snapshot: Snapshot, line: string): Snapshot {
  return withRule(snapshot, 'filter', line)
}

/** The snapshot with the policy DROP of FORWARD on each node, and pods’ own packets accepted. */
function withPolicy(snapshot: Snapshot): Snapshot {
  const accepting = withFilter(snapshot, '-A FORWARD -s 10.244.0.0/16 -j ACCEPT')
  const rules = new Map(accepting.state.rules)
  for (const [place, families] of rules) {
    const filter = new Map(families.IPv4?.get('filter'))
    const forward = filter.get('FORWARD')
    if (forward === undefined) continue
    filter.set('FORWARD', { ...forward, policy: 'DROP' })
    rules.set(place, { ...families, IPv4: new Map([...(families.IPv4 ?? []), ['filter', filter]]) })
  }
  return { ...accepting, state: { ...accepting.state, rules } }
}

/** The snapshot with endpoints that all terminate and still serve. */
function withTerminating({ model, ...snapshot }: Snapshot): Snapshot {
  const { cluster } = model
  const conditions = { ready: false, serving: true, terminating: true }
  const endpointSlices = cluster.endpointSlices.map((slice) => ({
    ...slice,
    endpoints: slice.endpoints.map((one) => ({ ...one, conditions })),
  }))
  const next = { ...model, cluster: { ...cluster, endpointSlices } }
  return { ...snapshot, model: next, state: plannedState(next) }
}

/** The snapshot with one more rule in front of a chain of node-a and node-b. */
function withRule(snapshot: Snapshot, table: 'filter' | 'nat', line: string): Snapshot {
  const [, chain = ''] = line.split(' ')
  const rules = new Map(snapshot.state.rules)
  for (const node of ['node-a', 'node-b']) {
    const families = rules.get(node) ?? {}
    const chains = new Map(families.IPv4?.get(table))
    const added =
      loadRestore(`*${table}\n:${chain} ACCEPT [0:0]\n${line}\nCOMMIT\n`).get(table)?.get(chain)?.rules ?? []
    const before = chains.get(chain)
    chains.set(chain, { policy: 'ACCEPT', ...before, rules: [...added, ...(before?.rules ?? [])] })
    rules.set(node, { ...families, IPv4: new Map([...(families.IPv4 ?? []), [table, chains]]) })
  }
  return { ...snapshot, state: { ...snapshot.state, rules } }
}
