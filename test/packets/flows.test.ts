import t from 'tap'
import { joinFlows } from './joinFlows.js'
import type { Capture, Flow } from '../../src/packets/types.js'
import { flowText } from './flowText.js'
import { expectedFlows, recorded, recordedCases } from './recordings.js'

function only(flows: readonly Flow[]): Flow {
  const [flow] = flows
  if (flow === undefined || flows.length !== 1) throw new Error(`${flows.length} flows, not one`)
  return flow
}

t.test('recorded connections', async (t) => {
  const cases = recordedCases()
  t.ok(cases.length > 20)
  for (const name of cases) {
    const captures = recorded(name)
    t.equal(joinFlows(captures).map(flowText).join(''), expectedFlows(name), name)
    t.equal(
      joinFlows(captures.toReversed()).map(flowText).join(''),
      expectedFlows(name),
      `${name}, in any order`,
    )
  }
})

t.test('forty connections at once', async (t) => {
  const flows = joinFlows(recorded('nodeport-parallel'))
  t.equal(flows.length, 40)
  t.equal(new Set(flows.map(({ source }) => source.port)).size, 40)
  const texts = new Map<string, number>()
  for (const flow of flows) texts.set(flowText(flow), (texts.get(flowText(flow)) ?? 0) + 1)
  const one = (name: string) => expectedFlows(name).replaceAll(/:3008[12]/g, ':30080')
  const paths = [one('nodeport-same-node'), one('nodeport-other-node')]
  t.same(new Set(texts.keys()), new Set(paths), 'each took one of the two paths, with all its hops')
  for (const { nat, hops } of flows) {
    const snat = nat.find(({ kind }) => kind === 'SNAT')
    t.same(snat?.from, hops[0]?.source)
    t.same(snat?.to, hops.at(-1)?.source, 'no hop is of another connection')
  }
})

t.test(
  'a bridge that resolves a neighbour shows a hairpin packet before its source is rewritten',
  async (t) => {
    const cni0 = 3
    const captures = recorded('hairpin').map((capture) => ({
      ...capture,
      packets: capture.packets.flatMap((packet, index, all) => {
        const before = all[index - 1]
        const isRewrittenSyn =
          capture.netns === 'node-a' && packet.type === 'outgoing' && packet.tcp?.syn && !packet.tcp.ack
        if (!isRewrittenSyn || before === undefined) return [packet]
        return [{ ...packet, interfaceIndex: cni0, source: before.source }, packet]
      }),
    }))
    const [plain, shown] = [only(joinFlows(recorded('hairpin'))), only(joinFlows(captures))]
    t.equal(shown.outcome, 'answered')
    t.equal(shown.hops.length, plain.hops.length + 1)
    t.same(shown.nat, plain.nat)
    t.same(shown.replyHops, plain.replyHops)
  },
)

t.test('from: only flows that a namespace originated', async (t) => {
  const captures = [...recorded('egress'), ...recorded('node-clusterip'), ...recorded('refused-node')]
  const sources = (from: string) => joinFlows(captures, { from }).map(({ source }) => source.address)
  t.same(sources('caller'), ['10.244.0.9'])
  t.same(sources('node-a'), ['172.18.0.2', '172.18.0.2'], 'without forwarded flows')
  t.same(sources('client'), [])
  const [first, second] = joinFlows(recorded('ping'))
  t.ok(first && second)
  const start = Math.min(...recorded('ping').flatMap(({ packets }) => packets.map(({ time }) => time)))
  t.equal(joinFlows(recorded('ping'), { since: start }).length, 2)
  t.equal(joinFlows(recorded('ping'), { since: start + 0.005 }).length, 1, 'since: only later flows')
})

t.test('the request of the sender reveals rewrites in OUTPUT', async (t) => {
  const called = { address: '172.18.0.2', port: 30082 }
  const captures = recorded('node-nodeport')
  const plain = only(joinFlows(captures, { from: 'node-a' }))
  const pod = { address: '10.244.1.5', port: 80 }
  t.same(plain.nat, [])
  const flow = only(
    joinFlows(captures, { from: 'node-a', requested: [{ netns: 'node-a', destination: called }] }),
  )
  t.same(flow.destination, called)
  t.same(flow.nat, [{ kind: 'DNAT', netns: 'node-a', from: called, to: pod }])
  t.same(flow.hops[0]?.rewritten, { destination: called })
  t.same(flow.hops.slice(1), plain.hops.slice(1))

  const source = { address: '172.18.0.2', port: 50_000 }
  const requested = [{ netns: 'node-a', source, destination: called }]
  const masqueraded = only(joinFlows(captures, { requested }))
  t.same(masqueraded.source, source)
  t.same(masqueraded.nat, [
    { kind: 'DNAT', netns: 'node-a', from: called, to: pod },
    { kind: 'SNAT', netns: 'node-a', from: source, to: plain.source },
  ])
})

t.test('the reply shows to which of several requests a flow belongs', async (t) => {
  const captures = recorded('node-localhost')
  const plain = only(joinFlows(captures))
  const source = plain.replyHops.at(-1)?.destination
  t.equal(source?.address, '127.0.0.1')
  const other = {
    netns: 'node-a',
    source: { address: '127.0.0.1', port: 9 },
    destination: { address: '127.0.0.1', port: 30090 },
  }
  const mine = {
    netns: 'node-a',
    destination: { address: '127.0.0.1', port: 30081 },
    ...(source && { source }),
  }
  const flow = only(joinFlows(captures, { requested: [other, mine] }))
  t.same(flow.destination, mine.destination)
  t.same(
    flow.nat.map(({ kind }) => kind),
    ['DNAT', 'SNAT'],
  )
})

t.test('a request that was not rewritten is not changed', async (t) => {
  const captures = recorded('nodeport-other-node')
  const plain = only(joinFlows(captures))
  const { source, destination } = plain
  const requested = [{ netns: 'client', source, destination }]
  t.same(only(joinFlows(captures, { requested })), plain)
})

t.test('pods that are not captured', async (t) => {
  const some = recorded('nodeport-other-node').filter(({ netns }) => netns !== 'echo-b')
  const flow = only(joinFlows(some))
  const whole = only(joinFlows(recorded('nodeport-other-node')))
  t.same(flow.hops, whole.hops.slice(0, -1))
  t.same(flow.replyHops, whole.replyHops.slice(1))
  t.equal(flow.outcome, 'answered')
})

t.test('a flow whose reply is lost is unanswered', async (t) => {
  const lost = recorded('nodeport-other-node').map((capture) => ({
    ...capture,
    packets: capture.packets.filter(({ type }) => capture.netns !== 'client' || type === 'outgoing'),
  }))
  const flow = only(joinFlows(lost))
  t.equal(flow.outcome, 'unanswered')
  t.equal(flow.replyHops.at(-1)?.netns, 'node-a', 'the last hop before the loss')
})

t.test('a connection that is reset after it was accepted', async (t) => {
  const withReset = (end: Partial<{ rst: boolean; fin: boolean }>): Capture[] =>
    recorded('nodeport-same-node').map((capture) => {
      const last = capture.packets.findLast(({ type, tcp }) => type === 'host' && tcp && !tcp.syn)
      const ended = capture.packets.filter(({ tcp }) => !tcp?.fin)
      if (capture.netns !== 'client' || !last?.tcp) return { ...capture, packets: ended }
      return {
        ...capture,
        packets: [...ended, { ...last, tcp: { ...last.tcp, fin: false, rst: false, ...end } }],
      }
    })
  t.equal(only(joinFlows(withReset({ rst: true }))).outcome, 'reset')
  t.equal(only(joinFlows(withReset({ fin: true }))).outcome, 'answered')
})

t.test('no captures, no packets', async (t) => {
  t.same(joinFlows([]), [])
  t.same(joinFlows([{ netns: 'client', packets: [], interfaces: new Map() }]), [])
})

t.test('equal datagrams that waited for neighbour resolution and were sent together', async (t) => {
  const captures = recorded('ipv6-udp')
  const plain = only(joinFlows(captures))
  const start = captures.find(({ netns }) => netns === 'client')?.packets[0]?.time ?? 0
  const at = (netns: string, name: string) =>
    start + (plain.hops.find((hop) => hop.netns === netns && hop.interface === name)?.at ?? 0) - 1e-7
  const held = at('node-b', 'cni0')
  const served = at('echo-b', 'eth0')
  // Sent three times, 0.1 s apart; the node forwards them at once, and the pod receives them one by one.
  const later = (time: number, times: number) =>
    time < held ? times * 0.1 : time < served ? 0.3 + times * 5e-6 : 0.3 + times * 1e-3
  const threeTimes = captures.map((capture) => ({
    ...capture,
    packets: [0, 1, 2]
      .flatMap((times) =>
        capture.packets.map((packet) => ({ ...packet, time: packet.time + later(packet.time, times) })),
      )
      .sort((a, b) => a.time - b.time),
  }))
  const flow = only(joinFlows(threeTimes))
  t.equal(flowText(flow), flowText(plain))
})
