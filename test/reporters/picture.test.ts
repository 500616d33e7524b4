import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import type { TopologyView } from '../../src/results/events.js'
import { drawPicture } from '../../src/reporters/picture.js'
import { languages } from '../../src/text/language.js'
import { textWidth } from '../../src/text/textWidth.js'
import { topology } from './fixture.js'
import { golden } from './golden.js'

const plain = createColours(false)

function cluster(nodeCount: number, podsEach: number): TopologyView {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const nodes = numbers(nodeCount).map((n) => ({
    name: `node-${n}`,
    addresses: [`172.18.0.${n + 1}`],
    podCIDRs: [`10.244.${n}.0/24`],
    zone: n % 2 === 0 ? 'zone-b' : 'zone-a',
  }))
  const pods = nodes.flatMap((node, index) =>
    numbers(podsEach).map((n) => ({
      name: `web-${n}`,
      namespace: n === 1 ? 'shop' : 'default',
      node: node.name,
      addresses: [`10.244.${index + 1}.${n + 1}`],
      labels: {},
    })),
  )
  return {
    ...topology,
    nodes,
    pods,
    clients: [...topology.clients, { name: 'other', addresses: ['172.18.1.3'] }],
  }
}

/** The columns of a line in which these characters are. */
function columnsWith(line: string, characters: string): number[] {
  let column = 0
  return [...line].flatMap((character) => {
    const at = column
    column += textWidth(character)
    return characters.includes(character) ? [at] : []
  })
}

const cases: [name: string, topology: TopologyView, width: number][] = [
  ['two nodes', topology, 80],
  ['three nodes on a wide terminal', cluster(3, 2), 120],
  ['three nodes on a narrow terminal', cluster(3, 2), 70],
  ['too many pods for a box', cluster(2, 9), 80],
  ['ten nodes of a hundred pods', cluster(10, 100), 80],
  ['more nodes than are shown', cluster(30, 3), 80],
  ['no client', { ...cluster(1, 0), clients: [], services: [] }, 80],
  ['nothing at all', { fabric: [], nodes: [], clients: [], pods: [], services: [] }, 80],
]

const goldenFiles = { en: 'pictures.txt', ko: 'pictures.ko.txt' }

for (const language of languages) {
  t.test(`golden pictures, ${language}`, async (t) => {
    const text = cases.map(([name, view, width]) =>
      [`# ${name}`, ...drawPicture(view, width, plain, language), ''].join('\n'),
    )
    t.equal(text.join('\n'), golden(goldenFiles[language]))
  })

  t.test(`pictures fit the width, ${language}`, async (t) => {
    for (const [name, view, width] of cases) {
      t.ok(
        drawPicture(view, width, plain, language).every((line) => textWidth(line) <= width),
        name,
      )
    }
  })

  t.test(`boxes have straight sides, ${language}`, async (t) => {
    const rows = drawPicture(cluster(3, 9), 120, plain, language).filter((line) => /^ *[┌│└]/.test(line))
    const sides = rows.map((row) => columnsWith(row, '┌┐│└┘'))
    t.ok(rows.length > 6)
    for (const side of sides) t.same(side, sides[0])
  })
}

t.test('both families', async (t) => {
  const dual: TopologyView = {
    ...topology,
    nodes: topology.nodes.map((node) => ({ ...node, addresses: [...node.addresses, 'fd00:18::2'] })),
    pods: topology.pods.map((pod) => ({ ...pod, addresses: [...pod.addresses, 'fd00:244:1::2'] })),
    services: topology.services.map((service) => ({
      ...service,
      clusterIPs: [...service.clusterIPs, 'fd00:10:96::e'],
    })),
  }
  const lines = drawPicture(dual, 110, plain, 'en')
  t.equal(lines.filter((line) => line.includes('fd00:244:1::2')).length, 1)
  t.ok(lines.some((line) => line.includes('10.96.27.14  fd00:10:96::e  port 80 nodePort 30080')))
})
