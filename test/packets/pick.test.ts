import t from 'tap'
import { joinFlows } from './joinFlows.js'
import { distinctFlows } from '../../src/packets/pick.js'
import type { Flow } from '../../src/packets/types.js'
import { recorded } from './recordings.js'

const many = joinFlows(recorded('nodeport-parallel'))
const first = (name: string): Flow => {
  const [flow] = joinFlows(recorded(name))
  if (flow === undefined) throw new Error(`no flow in ${name}`)
  return flow
}

t.test('one flow of each path', async (t) => {
  const picked = distinctFlows(many, 8)
  t.equal(picked.length, 2)
  t.same(
    new Set(picked.map(({ hops }) => hops.at(-1)?.netns)),
    new Set(['echo-a', 'echo-b']),
    'one flow to each pod, out of forty',
  )
  t.equal(picked[0], many[0], 'the first of each, in order')
})

t.test('paths differ by target and by outcome, not by ephemeral ports or the names of veths', async (t) => {
  const flow = first('nodeport-same-node')
  const again = {
    ...flow,
    hops: flow.hops.map((hop) => ({ ...hop, interface: hop.interface.replace('veth-echo-a', 'veth1234') })),
  }
  t.same(distinctFlows([flow, again], 8), [flow])
  const elsewhere = {
    ...flow,
    nat: flow.nat.map((fact) => ({ ...fact, to: { address: '10.244.0.77', port: 80 } })),
  }
  t.same(distinctFlows([flow, elsewhere], 8), [flow, elsewhere])
  const other = { ...flow, outcome: 'reset' as const }
  t.same(distinctFlows([flow, other], 8), [flow, other])
})

t.test('a limit keeps failed flows, in the original order', async (t) => {
  const flows = [first('hairpin'), first('no-answer'), first('udp'), first('refused-closed')]
  t.same(distinctFlows(flows, 2), [flows[1], flows[3]])
  t.same(distinctFlows(flows, 3), [flows[0], flows[1], flows[3]])
  t.same(distinctFlows(flows, 4), flows)
  t.same(distinctFlows(flows, 0), [])
})
