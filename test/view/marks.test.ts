import t from 'tap'
import { marksOf, nextOf } from '../../src/view/path/marks.js'
import type { Station } from '../../src/view/path/route.js'

const station = (hop: number, place: number, direction: Station['direction'] = 'request'): Station => ({
  ...{ hop, place: `host-${place}`, direction, line: [], rewritten: 'none' },
  point: { x: place * 100 + (direction === 'answer' ? 12 : -12), y: 50 },
})
/** Twenty packets at three hosts, as of a proxy with two connections. */
const many = Array.from({ length: 20 }, (_, hop) => station(hop, hop % 3, hop < 12 ? 'request' : 'answer'))

t.test('no mark hides another one, and each station is in one', async (t) => {
  const marks = marksOf(many, 4)
  const points = marks.map(({ point }) => `${point.x} ${point.y}`)
  t.equal(new Set(points).size, marks.length)
  t.strictSame(
    marks.flatMap(({ hops }) => hops).toSorted((a, b) => a - b),
    [...many.keys()],
  )
})

t.test('the mark of the packet that is shown is last, and names it', async (t) => {
  const [first] = marksOf(many, undefined)
  t.equal(first?.label, '1 4 7 10')
  const last = marksOf(many, 4).at(-1)
  t.match(last, { isNow: true, label: '2 5 8 11', station: { hop: 4 } })
})

t.test('a long mark names the first numbers, the one that is shown, and the last', async (t) => {
  const one = Array.from({ length: 9 }, (_, hop) => station(hop, 0))
  t.equal(marksOf(one, undefined)[0]?.label, '1 2 … 9')
  t.equal(marksOf(one, 5)[0]?.label, '1 2 6 … 9')
  t.equal(marksOf(one, 8)[0]?.label, '1 2 … 9')
})

t.test('a mark leads to its next packet, and from the last one to the first', async (t) => {
  const [mark] = marksOf([station(0, 0), station(3, 0), station(7, 0)], undefined)
  if (mark === undefined) throw new Error('there is no mark')
  t.strictSame(
    [undefined, 0, 3, 7].map((hop) => nextOf(mark, hop)),
    [0, 3, 7, 0],
  )
})
