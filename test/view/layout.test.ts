import t from 'tap'
import type { PodView, TopologyView } from '../../src/results/events.js'
import { layOutView, type Box } from '../../src/view/path/layout.js'

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
  for (const [index, box] of boxes.entries()) {
    t.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, box.title)
    for (const other of boxes.slice(index + 1)) {
      if (box.kind === 'node' && other.kind === 'pod') continue
      t.notOk(overlap(box, other), `${box.title} and ${other.title}`)
    }
  }
  for (const one of boxes.filter(({ kind }) => kind === 'pod'))
    t.ok(
      boxes.some((box) => box.kind === 'node' && contains(box, one)),
      `${one.title} is inside a node`,
    )
})

t.test('of many pods those of the path are drawn, and the others are counted', async (t) => {
  const { boxes } = layOutView(view, ({ name }) => name === 'web-17')
  const drawn = boxes.filter(({ kind }) => kind === 'pod').map(({ title }) => title)
  t.ok(drawn.includes('web-17'))
  const shownOnA = drawn.length - 2
  t.equal(boxes.find(({ title }) => title === 'node-a')?.hidden, 18 - shownOnA)
})

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
