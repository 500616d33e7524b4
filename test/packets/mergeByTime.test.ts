import t from 'tap'
import { mergeByTime } from '../../src/packets/mergeByTime.js'

t.test('items of several sources are written in order of time', async (t) => {
  const written: string[] = []
  const merge = mergeByTime<string>((item) => written.push(item))
  merge.add(3, 'a3')
  merge.add(3, 'a3, second')
  merge.add(9, 'a9')
  merge.add(1, 'b1')
  merge.release(5)
  t.strictSame(written, ['b1', 'a3', 'a3, second'])
  merge.add(4, 'late')
  merge.release(Infinity)
  merge.release(Infinity)
  t.strictSame(written, ['b1', 'a3', 'a3, second', 'late', 'a9'])
})
