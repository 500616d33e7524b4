import t from 'tap'
import { mostCarried, roomForMore, roomProblems } from '../../../src/workshop/class/preflight.js'

const gib = 2 ** 30
const room = { memory: 4 * gib, pids: 32_768 }

t.test('memory and process ids limit the size of a class', async (t) => {
  t.ok(mostCarried(room) >= 20, '4 GiB carry twenty participants')
  t.ok(mostCarried({ ...room, memory: gib }) < 10)
  t.equal(mostCarried({ ...room, memory: 0 }), 0)
  t.ok(mostCarried({ ...room, pids: 200 }) <= 5)
})

t.test('what is missing is named with what there is', async (t) => {
  t.strictSame(roomProblems(room, 20), [])
  const [problem = '', ...more] = roomProblems({ ...room, memory: gib }, 20)
  t.strictSame(more, [])
  t.match(problem, /carries about 6 participants, and the class has 20: it has 1024 MiB .* 32768 process ids/)
})

t.test('participants who join are counted with those who run no lab', async (t) => {
  t.equal(roomForMore(room, 20), undefined)
  t.match(
    roomForMore({ ...room, memory: gib }, 20),
    /about 6 further labs, and 20 participants run none: it has 1024 MiB .* 32768 process ids/,
  )
})
