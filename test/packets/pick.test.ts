import t from 'tap'
import { joinFlows } from '../../src/packets/flows.js'
import { tellingFlows } from '../../src/packets/pick.js'
import type { Flow } from '../../src/packets/types.js'
import { recorded } from './recordings.js'

const many = joinFlows(recorded('nodeport-parallel'))
const first = (name: string): Flow => {
  const [flow] = joinFlows(recorded(name))
  if (flow === undefined) throw new Error(`no flow in ${name}`)
  return flow
}

t.test('one flow of each way', async (t) => {
  const telling = tellingFlows(many, 8)
  t.equal(telling.length, 2)
  t.same(
    new Set(telling.map(({ hops }) => hops.at(-1)?.netns)),
    new Set(['echo-a', 'echo-b']),
    'to either pod, out of forty',
  )
  t.equal(telling[0], many[0], 'the first of each, in order')
})

t.test('ways differ by target and by end, not by chosen ports or the names of veths', async (t) => {
  const flow = first('nodeport-same-node')
  const again = {
    ...flow,
    hops: flow.hops.map((hop) => ({ ...hop, interface: hop.interface.replace('veth-echo-a', 'veth1234') })),
  }
  t.same(tellingFlows([flow, again], 8), [flow])
  const elsewhere = {
    ...flow,
    nat: flow.nat.map((fact) => ({ ...fact, to: { address: '10.244.0.77', port: 80 } })),
  }
  t.same(tellingFlows([flow, elsewhere], 8), [flow, elsewhere])
  const other = { ...flow, outcome: 'reset' as const }
  t.same(tellingFlows([flow, other], 8), [flow, other])
})

t.test('a limit keeps what failed, in the order given', async (t) => {
  const flows = [first('hairpin'), first('no-answer'), first('udp'), first('refused-closed')]
  t.same(tellingFlows(flows, 2), [flows[1], flows[3]])
  t.same(tellingFlows(flows, 3), [flows[0], flows[1], flows[3]])
  t.same(tellingFlows(flows, 4), flows)
  t.same(tellingFlows(flows, 0), [])
})
