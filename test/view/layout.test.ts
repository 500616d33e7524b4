import t, { type Test } from 'tap'
import type { PodView, TopologyView } from '../../src/results/events.js'
import { layOutView, type Box, type PlacedBox } from '../../src/view/path/layout.js'

const pod = (name: string, node: string): PodView => ({
  ...{ name, node, namespace: 'default', labels: {} },
  addresses: [`10.244.1.${name.length}`, 'fd00:244::1'],
})
const node = (name: string) => ({ name, addresses: ['172.18.0.2'], podCIDRs: [] })
const view: TopologyView = {
  fabric: ['172.18.0.0/16'],
  nodes: [node('node-a'), node('node-b'), node('node-c')],
  clients: [{ name: 'client', addresses: ['172.18.1.2'] }],
  pods: Array.from({ length: 20 }, (_, index) => pod(`web-${index}`, index < 18 ? 'node-a' : 'node-b')),
  services: [],
}

t.test('boxes do not overlap, and pods are inside their node', async (t) => {
  const { boxes, width, height } = layOutView(view, () => false)
  noneOverlap(t, boxes)
  for (const box of boxes)
    t.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, box.title)
  for (const one of boxes.filter(({ kind }) => kind === 'pod'))
    t.ok(
      boxes.some((box) => box.kind === 'node' && contains(box, one)),
      `${one.title} is inside a node`,
    )
})

t.test('of many pods those of the path are drawn, and the others are one box', async (t) => {
  const { boxes } = layOutView(view, ({ name }) => name === 'web-17')
  const drawn = boxes.filter(({ kind }) => kind === 'pod').map(({ title }) => title)
  t.strictSame(drawn, ['web-17', 'web-18', 'web-19'], 'node-b has few pods')
  const folds = boxes.filter(({ kind }) => kind === 'fold')
  t.match(folds, [{ title: 'node-a', folded: { pods: 17, notReady: 0 } }])
  t.equal(folds.length, 1)
})

t.test('an open node has all its pods in columns, and a box that folds them', async (t) => {
  const few = layOutView(view, () => false)
  const { boxes, width, height } = layOutView(view, () => false, new Set(['node-a']))
  const onA = boxes.filter(({ kind, title }) => kind === 'pod' && !['web-18', 'web-19'].includes(title))
  t.equal(onA.length, 18)
  t.equal(new Set(onA.map(({ x }) => x)).size, 2, 'two columns')
  t.match(
    boxes.find(({ kind }) => kind === 'fold'),
    { folded: { pods: 0 } },
  )
  t.ok(width > few.width && height > few.height)
  noneOverlap(t, boxes)
})

t.test('pods that are folded and not ready are counted', async (t) => {
  const pods = view.pods.map((one, index) => (index < 3 ? { ...one, notReady: true as const } : one))
  const { boxes } = layOutView({ ...view, pods }, ({ name }) => name === 'web-0')
  t.match(
    boxes.find(({ kind }) => kind === 'fold'),
    { folded: { pods: 17, notReady: 2 } },
  )
})

function noneOverlap(t: Test, boxes: readonly PlacedBox[]) {
  for (const [index, box] of boxes.entries())
    for (const other of boxes.slice(index + 1))
      if (box.kind !== 'node' || (other.kind !== 'pod' && other.kind !== 'fold'))
        t.notOk(overlap(box, other), `${box.title} and ${other.title}`)
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}
