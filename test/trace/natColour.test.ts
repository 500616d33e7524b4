import { readFileSync } from 'node:fs'
import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { hopLines } from '../../src/trace/text/hopText.js'
import { predictionText } from '../../src/trace/text/predictionText.js'
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

const css = readFileSync('src/view/page/style.css', 'utf8')

/** The value of a variable of the style sheet, in light and in dark, or a colour as it is. */
function colourOf(name: string): string[] {
  return [...css.matchAll(new RegExp(`--${name}: #([0-9a-f]+);`, 'g'))].map(([, hex = '']) => hueOf(hex))
}

/** Which of the eight colours of terminals is nearest, by its hue. */
function hueOf(hex: string): string {
  const long = hex.length === 3 ? [...hex].map((one) => one + one).join('') : hex
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range
  const hue = (sixth * 60 + 360) % 360
  // orange stands for the yellow of terminals, which is not readable on white
  const names = [
    [12, 'red'],
    [70, 'yellow'],
    [170, 'green'],
    [230, 'blue'],
    [320, 'magenta'],
    [360, 'red'],
  ] as const
  return names.find(([end]) => hue < end)?.[1] ?? 'red'
}

t.test('terminals and pages have the same colours for drops, answers and rewrites', async (t) => {
  const colours = createColours(true)
  const names = { 31: 'red', 32: 'green', 33: 'yellow', 35: 'magenta' } as const
  for (const [style, variable] of [
    ['bad', 'bad'],
    ['good', 'ok'],
    ['dnat', 'dnat'],
    ['snat', 'snat'],
  ] as const) {
    const [, code = ''] = new RegExp(`^${String.fromCodePoint(27)}\\[(\\d+)m`).exec(colours[style]('x')) ?? []
    const name = names[Number(code) as keyof typeof names]
    t.strictSame(colourOf(variable), [name, name], style)
  }
  // what uses them: how a request ends, and where its packet is dropped
  for (const [selector, variable] of [
    ['.good', 'ok'],
    ['.bad', 'bad'],
    ['.flow-lost', 'bad'],
  ] as const)
    t.match(css, new RegExp(`\\${selector}[^{}]*\\{[^}]*color: var\\(--${variable}\\)`), selector)
})

t.test('an answer and a drop have the mark and the colour of the page', async (t) => {
  const colours = createColours(true)
  const options = {
    colours,
    language: 'en',
    width: 200,
    all: false,
    path: 1,
    nameOf: () => undefined,
  } as const
  const ends = [
    [30_080, colours.good('✔ answered')],
    [30_081, colours.bad('✗ refused at node-a')],
  ] as const
  for (const [port, mark] of ends) {
    const prediction = predict(state, 'client', firstPacket(state, { ...request, port, sourcePort: 50_000 }))
    t.ok(predictionText(prediction, options).includes(mark), String(port))
  }
})

t.test('the style sheet has one colour for each', async (t) => {
  for (const nat of ['dnat', 'snat'] as const) {
    const block = new RegExp(
      `\\.flow-rewrite\\.${nat} > span,[^{]*\\.decisions \\.${nat} \\{\\s*color: var\\(--${nat}\\)`,
    )
    t.match(css, block)
  }
})
