import { readFileSync } from 'node:fs'
import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { hopLines } from '../../src/trace/text/hopText.js'
import { natColour } from '../../src/trace/text/natColour.js'
import { changesUntil, rewrittenOf } from '../../src/view/path/route.js'
import { framesOfExchange } from '../../src/view/path/frames.js'

const state = plannedState(prepareLab('labs/nodeport'))
const request = { from: 'client', protocol: 'tcp', address: '172.18.0.2', port: 30080 } as const
const [path] = predict(state, 'client', firstPacket(state, { ...request, sourcePort: 50_000 })).paths
if (path === undefined) throw new Error('nothing is predicted')

t.test('what DNAT has rewritten has its colour when the answer is rewritten back', async (t) => {
  t.equal(natColour('destination', false), 'dnat')
  t.equal(natColour('source', true), 'dnat')
  t.equal(natColour('source', false), 'snat')
  t.equal(natColour('destination', true), 'snat')
})

t.test('terminals and pages colour the answer alike', async (t) => {
  const colours = createColours(true)
  const options = {
    colours,
    language: 'en' as const,
    width: 200,
    all: false,
    path: 1,
    nameOf: () => undefined,
  }
  const index = path.hops.findIndex(({ place, packet }) => place === 'node-a' && packet === 'answer')
  const hop = path.hops[index]
  if (hop === undefined) throw new Error('the answer does not pass node-a')
  const text = hopLines(hop, options).join('\n')
  const own = hop.after.source
  t.match(text, colours.dnat(`source ${hop.before.source.address}:80 ⇒ ${own.address}:30080`))
  const frames = framesOfExchange(
    { hops: [], replyHops: [] },
    {
      ...{ path, paths: 1, basis: 'plan', seen: 0, differing: [] },
      ...{ beyond: { hops: [], replyHops: [] }, passedOn: [] },
    },
  )
  const last = frames.findLastIndex(({ place, direction }) => place === 'node-a' && direction === 'answer')
  t.match(changesUntil(frames, last), [
    { side: 'destination', nat: 'snat' },
    { side: 'source', nat: 'dnat' },
  ])
  // the arrow to the node has both colours, as what was rewritten in the request is still
  const arriving = frames.find(({ place, direction }) => place === 'node-a' && direction === 'answer')
  t.equal(arriving && rewrittenOf(arriving), 'both')
})

t.test('the style sheet has one colour for each', async (t) => {
  const css = readFileSync('src/view/page/style.css', 'utf8')
  for (const nat of ['dnat', 'snat'] as const) {
    const block = new RegExp(
      `\\.flow-rewrite\\.${nat} > span,[^{]*\\.decisions \\.${nat} \\{\\s*color: var\\(--${nat}\\)`,
    )
    t.match(css, block)
  }
})
