import t from 'tap'
import type { Flow } from '../../src/packets/types.js'
import { tracedSocketText, tupleText } from '../../src/snapshot/model/packet.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { afterCommand } from '../../src/trace/change/hostCommand.js'
import { english } from '../../src/view/page/texts/english.js'
import { flowGraphOf, type FlowGraph } from '../../src/view/path/flowGraph.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { tracedTo } from '../trace/tracedTo.js'
import { withRules } from '../trace/withRules.js'
import { flowOf } from './flowOf.js'

const none = { hops: [], replyHops: [] }

function graphOf(options: Parameters<typeof tracedTo>[0]): FlowGraph {
  const [path] = tracedTo(options).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const known = { path, paths: 1, seen: 0, differing: [], beyond: none, passedOn: [] }
  return flowGraphOf(framesOfExchange(flowOf(path), known))
}

const arrows = ({ visits }: FlowGraph) =>
  visits.flatMap(({ place, arrow }) => (arrow === undefined ? [] : [`${place} → ${arrow.to}`]))

t.test(
  'hosts are columns, each hop is an arrow, and rewrites are on the host where they happen',
  async (t) => {
    const graph = graphOf({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' })
    t.strictSame(graph.places.slice(0, 3), ['client', 'node-a', graph.places[2]])
    t.strictSame(arrows(graph).slice(0, 2), ['client → node-a', `node-a → ${graph.places[2]}`])
    t.equal(arrows(graph).at(-1), 'node-a → client', 'the answer returns')
    const [there, back] = graph.visits.filter(
      ({ place, rewrites }) => place === 'node-a' && rewrites.length > 0,
    )
    t.match(there?.rewrites, [
      { side: 'destination', by: /^KUBE-SEP-/ },
      { side: 'source', by: 'KUBE-POSTROUTING' },
    ])
    t.match(there?.arrow, { rewritten: 'both' })
    t.match(
      back?.rewrites.map(({ side, by }) => [side, by]),
      [
        ['destination', 'conntrack'],
        ['source', 'conntrack'],
      ],
    )
    t.match(back?.arrow, { rewritten: 'none' }, 'the answer is as the caller expects it')
    t.equal(
      tracedSocketText(back?.rewrites.find(({ side }) => side === 'source')?.to ?? { address: '' }),
      '172.18.0.2:30080',
    )
    for (const { first, moments } of graph.visits) t.ok(first >= 0 && moments.length > 0)
  },
)

t.test('a packet that is dropped is lost on the host that drops it, and received nowhere', async (t) => {
  const command = { place: 'node-a', argv: ['iptables', '-I', 'FORWARD', '-j', 'DROP'] }
  const graph = graphOf({
    ...{ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' },
    change: (state) => afterCommand(state, command) ?? state,
  })
  const last = graph.visits.at(-1)
  t.match(last, { place: 'node-a', lost: /FORWARD drops it/, arrow: undefined })
  t.notOk(graph.visits.some(({ moments }) => moments.some(({ kind }) => kind === 'receive')))
})

t.test('a port on which nothing listens is received, and a reset returns, which is no answer', async (t) => {
  const graph = graphOf({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30081/' })
  t.ok(graph.visits.every(({ lost }) => lost === undefined))
  t.match(graph.visits.at(-1), { place: 'client', direction: 'answer' })
  t.equal(sendingOf(graph.visits[2]), 'node-a refuses it')
  const answered = graphOf({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' })
  t.match(sendingOf(answered.visits[3]), /^my-app-\S+ answers$/)
})

/** What a page shows that a host does, where a packet begins. */
function sendingOf(visit: FlowGraph['visits'][number] | undefined): string {
  const [first] = visit?.moments ?? []
  return first?.kind === 'send' ? `${visit?.place} ${english.sending[first.packet]}` : ''
}

t.test('each end of a path is on its host, and what it sends back returns to the caller', async (t) => {
  const nodePort = { lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }
  const forward = (...target: string[]) => ({
    ...nodePort,
    change: (state: TraceState) =>
      afterCommand(state, { place: 'node-a', argv: ['iptables', '-I', 'FORWARD', ...target] }) ?? state,
  })
  const reject = (how: string) => forward('-p', 'tcp', '-j', 'REJECT', '--reject-with', how)
  const closed = { ...nodePort, to: '{node-a}:30081' }
  const ends = {
    drop: [forward('-j', 'DROP'), 'node-a dropped'],
    icmp: [reject('icmp-admin-prohibited'), 'node-a rejected', 'ICMP administratively prohibited'],
    reset: [reject('tcp-reset'), 'node-a rejected', 'TCP reset'],
    route: [{ ...nodePort, to: 'http://203.0.113.7/' }, 'fabric no route', 'ICMP network unreachable'],
    lost: [{ ...nodePort, to: 'http://172.18.0.99/' }, 'client lost', 'ICMP host unreachable'],
    udp: [{ ...closed, protocol: 'udp' }, 'node-a refused', 'ICMP port unreachable'],
    unknown: [forward('-j', 'TEE'), 'node-a not known'],
  } as const
  for (const [name, [asked, expected, error]] of Object.entries(ends)) {
    const { visits } = graphOf(asked)
    const there = visits.filter(({ direction }) => direction === 'request')
    const last = there.at(-1)
    t.equal(`${last?.place} ${last?.moments.at(-1)?.label}`, expected, name)
    t.notOk(
      there.some(({ moments }) => moments.some(({ kind }) => kind === 'receive')),
      `${name}: received nowhere`,
    )
    const [sent, ...back] = visits.filter(({ direction }) => direction === 'answer')
    t.equal(sent?.moments[0]?.named, error, name)
    if (error === undefined) continue
    t.equal(sent?.place, last?.place, `${name}: by the host where it ends`)
    t.match(back.at(-1), { place: 'client', lost: undefined }, name)
    t.equal(back.at(-1)?.moments.at(-1)?.kind, 'receive', `${name}: the caller gets it`)
  }
})

t.test(
  'connection tracking rewrites an error back, which has the address of its sender until then',
  async (t) => {
    const command = ['iptables', '-I', 'FORWARD', '-p', 'tcp', '-j', 'REJECT']
    const graph = (place: string, how: string, to: string) =>
      graphOf({
        ...{ lab: 'labs/nodeport', from: 'client', to },
        change: (state) => afterCommand(state, { place, argv: [...command, '--reject-with', how] }) ?? state,
      })
    const returned = ({ visits }: FlowGraph) =>
      visits.flatMap(({ direction, arrow }) =>
        direction === 'answer' && arrow !== undefined
          ? [`${tracedSocketText(arrow.tuple.source)} → ${arrow.to} ${arrow.rewritten}`]
          : [],
      )
    const called = 'http://{node-a}:30080/'
    t.strictSame(returned(graph('node-a', 'icmp-port-unreachable', called)), ['172.18.0.2 → client none'])
    t.strictSame(returned(graph('node-a', 'tcp-reset', called)), ['172.18.0.2:30080 → client none'])
  },
)

t.test('where an error is lost, its way ends there, and the caller gets nothing', async (t) => {
  const { visits } = graphOf({
    ...{ lab: 'labs/nodeport', from: 'client', to: '{node-a}:30081', protocol: 'udp' },
    change: withRules('client', ['filter -A INPUT -p icmp -j DROP']),
  })
  t.match(visits.at(-1), { place: 'client', direction: 'answer', lost: /^rule 1 of filter INPUT drops it$/ })
  t.match(
    visits.findLast(({ direction }) => direction === 'request'),
    { place: 'node-a', lost: /nothing listens on udp port 30081/ },
  )
})

t.test('where a reset is lost, the request was received', async (t) => {
  const reset = ['-p', 'tcp', '--tcp-flags', 'RST', 'RST', '-j', 'DROP']
  const command = { place: 'node-a', argv: ['iptables', '-I', 'OUTPUT', ...reset] }
  const { visits } = graphOf({
    ...{ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30081/' },
    change: (state) => afterCommand(state, command) ?? state,
  })
  t.match(visits[1], { place: 'node-a', direction: 'request', lost: undefined })
  t.match(visits[2], { place: 'node-a', direction: 'answer', lost: /OUTPUT drops it/ })
})

t.test('of captures alone, a packet that refuses is no answer', async (t) => {
  const [path] = tracedTo({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const sending = (seen: Partial<Flow>) => {
    const { visits } = flowGraphOf(framesOfExchange({ ...flowOf(path), ...seen }, undefined))
    return sendingOf(visits.find(({ direction }) => direction === 'answer')).replace(/^\S+ /, '')
  }
  t.equal(sending({}), 'answers')
  t.equal(sending({ outcome: 'refused' }), 'refuses it')
  t.equal(sending({ outcome: 'refused', protocol: 'udp' }), 'reports an error')
  t.equal(sending({ outcome: 'unreachable' }), 'reports an error')
})

t.test('the connection that a proxy opens follows the request, and is not an arrow of it', async (t) => {
  const [path] = tracedTo({
    ...{ lab: 'labs/ingress', from: 'client', to: 'http://{ingress-nginx-controller.external}/a/pings' },
    host: 'example.com',
  }).paths
  if (path?.relayed?.path === undefined) throw new Error('no proxy passes it on')
  const inner = { path: path.relayed.path, paths: 1, seen: 0, differing: [], beyond: none, passedOn: [] }
  const known = { ...inner, path, passedOn: [inner] }
  const graph = flowGraphOf(framesOfExchange({ hops: [], replyHops: [] }, known))
  const opened = graph.visits.filter(({ opens }) => opens)
  t.equal(opened.length, 2, 'the connection of the proxy, and the answer to the client')
  t.match(opened[0], { place: /^ingress-nginx-controller/, direction: 'request' })
  t.ok(
    graph.places.some((place) => place.startsWith('a-')),
    'the pod behind the proxy is a column',
  )
})

t.test('a packet in a tunnel is not rewritten', async (t) => {
  const graph = graphOf({ lab: 'labs/pod-network-vxlan', from: 'node-a', to: 'http://10.244.2.2/' })
  t.strictSame(tunnelsOf(graph), [
    'node-a: 10.244.1.0:* → 10.244.2.2:80 in 172.18.0.2:* → 172.18.0.3:8472, none',
    'node-b: 10.244.2.2:80 → 10.244.1.0:* in 172.18.0.3:* → 172.18.0.2:8472, none',
  ])
})

const tunnelsOf = ({ visits }: FlowGraph) =>
  visits.flatMap(({ place, arrow }) =>
    arrow?.outer === undefined
      ? []
      : [`${place}: ${tupleText(arrow.tuple)} in ${tupleText(arrow.outer)}, ${arrow.rewritten}`],
  )

t.test('an error in a tunnel has its own addresses, and the packet around it is no error', async (t) => {
  const graph = graphOf({
    ...{ lab: 'labs/pod-network-vxlan', from: 'node-a', to: '10.244.2.2:5454', protocol: 'udp' },
  })
  t.equal(tunnelsOf(graph).at(-1), 'node-b: 10.244.2.2 → 10.244.1.0 in 172.18.0.3:* → 172.18.0.2:8472, none')
  const texts = graph.visits.flatMap(({ moments }) => moments.map(({ text }) => text))
  const sent = texts.filter((text) => / sends /.test(text)).slice(-2)
  t.match(sent, [/^web-\S+ sends ICMP port unreachable$/, 'node-b sends the VXLAN packet'])
})

t.test('what is rewritten of an error: its addresses, which have no port, each once', async (t) => {
  const argv = ['iptables', '-I', 'FORWARD', '-p', 'tcp', '-j', 'REJECT', '--reject-with']
  const { paths } = tracedTo({
    ...{ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' },
    change: (state) =>
      afterCommand(state, { place: 'node-b', argv: [...argv, 'icmp-port-unreachable'] }) ?? state,
  })
  const path = paths.find(({ error }) => error !== undefined)
  if (path === undefined) throw new Error('nothing is rejected')
  const known = { path, paths: 2, seen: 0, differing: [], beyond: none, passedOn: [] }
  const { visits } = flowGraphOf(framesOfExchange(flowOf(path), known))
  t.strictSame(
    visits.flatMap(({ direction, place, rewrites }) =>
      rewrites.flatMap(({ side, from, to }) =>
        direction === 'request'
          ? []
          : [`${place}: ${side} ${tracedSocketText(from)} → ${tracedSocketText(to)}`],
      ),
    ),
    ['node-a: destination 172.18.0.2 → 172.18.1.2', 'node-a: source 172.18.0.3 → 172.18.0.2'],
  )
})
