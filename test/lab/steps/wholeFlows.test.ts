import t from 'tap'
import { wholeFlows } from '../../../src/lab/steps/wholeFlows.js'
import { joinConnections } from '../../../src/packets/flows.js'
import type { Capture } from '../../../src/packets/types.js'
import { flowText } from '../../packets/flowText.js'
import { expectedFlows, recorded } from '../../packets/recordings.js'

const name = 'nodeport-other-node'
const whole = recorded(name)
const without = (netns: string): Capture[] =>
  whole.map((capture) => (capture.netns === netns ? { ...capture, packets: [] } : capture))

/** What the captures return one after the other, then nothing; `taken` counts. */
function captures(...answers: readonly Capture[][]) {
  const left = [...answers]
  const counted = { taken: 0, take: () => Promise.resolve((counted.taken++, left.shift() ?? [])) }
  return counted
}

t.test('a flow has a gap where a place on its way was not captured', (t) => {
  const gapsOf = (some: readonly Capture[]) => joinConnections(some).map(({ hasGap }) => hasGap)
  t.same(gapsOf(whole), [false])
  t.same(gapsOf(without('node-a')), [true], 'node-a routes and rewrites it')
  t.same(gapsOf(without('node-b')), [true], 'node-b routes it')
  t.same(gapsOf(without('echo-b')), [true], 'it left node-b for the pod')
  t.same(
    recorded('no-answer').length > 0 && gapsOf(recorded('no-answer')).includes(true),
    false,
    'it was not answered, so it may have ended there',
  )
  t.end()
})

t.test('packets that come late are taken too', async (t) => {
  const late = captures(whole.filter(({ netns }) => netns === 'node-a'))
  const flows = await wholeFlows(without('node-a'), late, {})
  t.equal(flows.map(flowText).join(''), expectedFlows(name))
  t.equal(late.taken, 1)
})

t.test('whole flows are not waited for', async (t) => {
  const none = captures()
  t.equal((await wholeFlows(whole, none, {})).map(flowText).join(''), expectedFlows(name))
  t.equal(none.taken, 0)
})

t.test('a place without a capture is asked about once', async (t) => {
  const none = captures()
  const flows = await wholeFlows(without('node-a'), none, {})
  t.same(
    flows.flatMap(({ nat }) => nat),
    [],
  )
  t.equal(none.taken, 1)
})
