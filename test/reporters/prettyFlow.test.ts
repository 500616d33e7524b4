import t from 'tap'
import { textWidth } from '../../src/text/textWidth.js'
import { createColours } from '../../src/text/colour.js'
import { prettyFlow } from '../../src/reporters/prettyFlow.js'
import { describeFlow } from '../../src/reporters/hops.js'
import { pathPhrase } from '../../src/reporters/path.js'
import { flowRefused, flowToOtherNode, flowWithoutSnat, podB } from './fixture.js'

const plain = createColours(false)

t.test('every hop is shown, a bridge and its port as one line in the pretty form', async (t) => {
  const flow = flowToOtherNode()
  t.equal(describeFlow(flow).length, 1 + flow.hops.length + flow.replyHops.length)
  const lines = prettyFlow(flow, 110, plain)
  t.equal(lines.filter((line) => /cni0 veth5f0c21a9 +out/.test(line)).length, 1)
  t.equal(lines.filter((line) => line.endsWith('DNAT SNAT')).length, 1)
  t.match(lines.at(-1), 'client: reply from 172.18.0.2:30080, the address it called')
})

t.test('rewritten addresses have the colour of their marks', async (t) => {
  const line = prettyFlow(flowToOtherNode(), 110, createColours(true)).find((each) => each.includes('DNAT'))
  t.ok(line?.includes('\x1b[35m172.18.0.2:23107\x1b[39m'), 'source as SNAT')
  t.ok(line?.includes('\x1b[33m10.244.2.2:80\x1b[39m'), 'destination as DNAT')
})

t.test('a reply from an address that was not called', async (t) => {
  const text = prettyFlow(flowWithoutSnat(), 80, plain).join('\n')
  t.match(text, 'client: reply from 10.244.2.2:80, but it called 172.18.0.2:30080')
  t.notMatch(text, 'SNAT')
})

t.test('a path as text', async (t) => {
  t.equal(pathPhrase(flowRefused()).join(' '), 'client → node-a: refused')
  t.equal(
    pathPhrase(flowToOtherNode()).join(' '),
    `client → node-a (DNAT, SNAT) → node-b → ${podB}: answered`,
  )
})

t.test('no reply', async (t) => {
  const lines = prettyFlow({ ...flowRefused(), replyHops: [], outcome: 'unanswered' }, 80, plain)
  t.equal(lines.at(-1), 'reply  none')
})

t.test('in a narrow terminal the addresses of a hop are below its place', async (t) => {
  const lines = prettyFlow(flowToOtherNode(), 54, plain)
  t.strictSame(
    lines.filter((line) => textWidth(line) > 54),
    [],
  )
  t.match(lines.join('\n'), /^node-a +eth0 +out DNAT SNAT\n {2}172\.18\.0\.2:23107 → 10\.244\.2\.2:80$/m)
})
