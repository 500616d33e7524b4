import t from 'tap'
import { duration, since } from '../../../src/cluster/columns/column.js'

const [minute, hour, day, year] = [60, 3600, 86400, 365 * 86400]

// The table of HumanDuration in apimachinery, in whole seconds.
const durations: readonly (readonly [number, string])[] = [
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [0.9, '0s'],
  [1, '1s'],
  [70, '70s'],
  [119, '119s'],
  [120, '2m'],
  [190, '3m10s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute + 30, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 47 * minute, '3h47m'],
  [8 * hour + 5 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day + hour, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year + day, '8y'],
]

for (const [seconds, text] of durations)
  void t.test(`${seconds} seconds are ${text}`, (t) => {
    t.equal(duration(seconds), text)
    t.end()
  })

void t.test('a missing time has no age', (t) => {
  t.equal(since(undefined, new Date()), '<unknown>')
  t.equal(since('soon', new Date()), '<unknown>')
  t.end()
})
