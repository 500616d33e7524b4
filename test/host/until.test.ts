import t from 'tap'
import { until } from '../../src/host/until.js'

t.test('ends as soon as the condition holds', async (t) => {
  let looks = 0
  t.equal(await until(() => ++looks === 3, { patienceMs: 30_000, everyMs: 0 }), true)
  t.equal(looks, 3)
})

t.test('ends when the patience is over, having looked', async (t) => {
  let looks = 0
  t.equal(await until(() => ++looks < 0, { patienceMs: 0, everyMs: 0 }), false)
  t.ok(looks > 0)
})

t.test('does not depend on the date', async (t) => {
  const { now } = Date
  t.teardown(() => (Date.now = now))
  Date.now = () => 1e15
  let looks = 0
  const looked = until(() => ++looks === 2, { patienceMs: 30_000, everyMs: 0 })
  Date.now = () => 0
  t.equal(await looked, true)
})
