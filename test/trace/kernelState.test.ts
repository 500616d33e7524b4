import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { onePort } from '../../src/snapshot/model/packet.js'
import type { KnownConnection, PolicyRule, TraceState } from '../../src/snapshot/model/state.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { loadRestore } from '../../src/snapshot/rules/loadRestore.js'

const lab = plannedState(prepareLab('labs/nodeport'))
const socket = (address: string, port: number) => ({ address, port: onePort(port) })

function endsOf(state: TraceState): string[] {
  const packet = firstPacket(state, { from: 'client', protocol: 'tcp', address: '172.18.0.2', port: 30080 })
  return predict(state, 'client', packet).paths.map(({ end }) => end.reason)
}

t.test('a masquerade whose ports are all in use drops the next connection', async (t) => {
  const rules = new Map(lab.rules)
  const own = rules.get('node-a')?.IPv4
  const nat = own?.get('nat')
  if (own === undefined || nat === undefined) throw new Error('node-a has no table nat')
  const few = loadRestore(
    '*nat\n:KUBE-POSTROUTING - [0:0]\n-A KUBE-POSTROUTING -p tcp -j MASQUERADE --to-ports 40000-40001\nCOMMIT\n',
  )
    .get('nat')
    ?.get('KUBE-POSTROUTING')
  if (few === undefined) throw new Error('the chain was not read')
  rules.set('node-a', { IPv4: new Map([...own, ['nat', new Map([...nat, ['KUBE-POSTROUTING', few]])]]) })
  const entry = (pod: string, port: number): KnownConnection => ({
    ...{ place: 'node-a', protocol: 'tcp', answered: true },
    original: { source: socket('172.18.1.2', 50_000 + port), destination: socket('172.18.0.2', 30080) },
    reply: {
      source: socket(pod, 80),
      destination: socket(pod === '10.244.2.2' ? '172.18.0.2' : '10.244.1.1', port),
    },
  })
  const state = { ...lab, rules }
  const used = [entry('10.244.2.2', 40_000), entry('10.244.2.2', 40_001)]
  t.match(endsOf(state), [/answers$/, /answers$/])
  t.match(endsOf({ ...state, connections: used.slice(1) }), [/answers$/, /answers$/], 'one port is free')
  t.match(endsOf({ ...state, connections: used }), [
    /answers$/,
    /^other connections to 10\.244\.2\.2:80 use the source ports 40000 to 40001 of 172\.18\.0\.2/,
  ])
})

t.test(
  'a source port that another connection to the same receiver has is changed without a rule',
  async (t) => {
    const ask = (connections: readonly KnownConnection[], rules = lab.rules, from = 40_000) => {
      const state = { ...lab, rules, connections }
      const request = { from: 'node-a', protocol: 'tcp', address: '10.244.2.2', port: 80 } as const
      const first = firstPacket(state, request)
      const packet = { ...first, source: { ...first.source, port: onePort(from) } }
      const [path] = predict(state, 'node-a', packet).paths
      t.match(path?.end.reason, /answers$/)
      const seen = path?.hops.find(({ place }) => place === 'node-b')
      const nat = seen?.steps.findLast(({ kind }) => kind === 'nat')
      t.equal(path?.hops.at(-1)?.place, 'node-a')
      return nat?.kind === 'nat' ? nat : undefined
    }
    const [sender, pod] = [socket('172.18.0.2', 40_000), socket('10.244.2.2', 80)]
    const known: KnownConnection = {
      ...{ place: 'node-b', protocol: 'tcp', answered: true, closed: true },
      original: { source: sender, destination: socket('172.18.0.3', 30080) },
      reply: { source: pod, destination: sender },
    }
    t.match(ask([known]), {
      ...{ hook: 'postrouting', side: 'source', by: 'connection', from: sender },
      to: { address: sender.address, port: { first: 1024, last: 65535 } },
      why: 'another connection to 10.244.2.2:80 has source port 40000',
    })
    t.equal(ask([]), undefined)
    t.equal(ask([known], lab.rules, 40_001), undefined, 'another port')
    t.equal(ask([{ ...known, protocol: 'udp' }]), undefined, 'another protocol')
    t.equal(ask([{ ...known, place: 'client' }]), undefined, 'another host')
    t.equal(ask([{ ...known, reply: { source: pod, destination: socket('172.18.1.2', 40_000) } }]), undefined)
    const withoutNat = new Map(lab.rules)
    const own = lab.rules.get('node-b')?.IPv4 ?? new Map()
    withoutNat.set('node-b', { IPv4: new Map([...own].filter(([table]) => table !== 'nat')) })
    t.equal(ask([known], withoutNat), undefined, 'no chain of nat')

    const masquerade = (target: string) => {
      const text = `*nat\n:POSTROUTING ACCEPT [0:0]\n-A POSTROUTING -j ${target}\nCOMMIT\n`
      return new Map(lab.rules).set('node-b', { IPv4: loadRestore(text) })
    }
    const node = '10.244.2.1'
    const masqueraded = { ...known, reply: { source: pod, destination: socket(node, 40_000) } }
    t.match(ask([masqueraded], masquerade('MASQUERADE')), {
      ...{ by: 'connection', from: socket(node, 40_000) },
      to: { address: node, port: { first: 1024, last: 65535 } },
      why: 'another connection to 10.244.2.2:80 has source port 40000',
    })
    const kept = { by: 'rule', to: socket(node, 40_000), why: undefined }
    t.has(ask([known], masquerade('MASQUERADE')), kept, 'the old source has the port')
    const chosen = { by: 'rule', to: { port: { first: 1024, last: 65535 } }, why: undefined }
    t.has(ask([masqueraded], masquerade('MASQUERADE --random-fully')), chosen)
  },
)

t.test('a rule of policy routing before the table local decides about own addresses, too', async (t) => {
  const rule: PolicyRule = {
    netns: 'client',
    family: 'IPv4',
    priority: 5,
    to: '127.0.0.1',
    table: '100',
  }
  const own = { netns: 'client', to: '127.0.0.1', via: '172.18.0.2', device: 'eth0', table: '100' }
  const network = { ...lab.network, routes: [...lab.network.routes, own] }
  const usual = (table: string, priority: number): PolicyRule => ({
    ...{ netns: 'client', family: 'IPv4', priority, table },
  })
  const routeOf = (local: number) => {
    const policies = [rule, usual('local', local), usual('main', 32_766)]
    const state = { ...lab, network, policies }
    const packet = firstPacket(state, { from: 'client', protocol: 'tcp', address: '127.0.0.1', port: 80 })
    return predict(state, 'client', packet).paths[0]?.hops[0]?.out
  }
  t.equal(routeOf(0), 'lo')
  t.equal(routeOf(100), 'eth0')
})
