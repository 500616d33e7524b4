import t from 'tap'
import { createRunner } from '../../../src/host/proxier/runner.js'
import { manualClock } from '../../apiserver/manualClock.js'

/** A runner whose runs end when the test says so. */
function fixture() {
  const clock = manualClock('2026-01-01T00:00:00Z')
  const ends: (() => void)[] = []
  let started = 0
  const runner = createRunner(
    () => {
      const number = ++started
      return new Promise<number>((resolve) => ends.push(() => resolve(number)))
    },
    1000,
    clock,
  )
  const settle = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { clock, runner, settle, started: () => started }
}

t.test('the first request runs at once, the next one a gap later', async (t) => {
  const { clock, runner, settle, started } = fixture()
  const first = runner.request()
  t.equal(started(), 1)
  await settle()
  t.equal(await first, 1)
  const second = runner.request()
  clock.advance(999)
  t.equal(started(), 1, 'too early')
  clock.advance(1)
  t.equal(started(), 2)
  await settle()
  t.equal(await second, 2)
})

t.test('what is asked for meanwhile is one run, and begins after it was asked for', async (t) => {
  const { clock, runner, settle, started } = fixture()
  const first = runner.request()
  const meanwhile = [runner.request(), runner.request()]
  await settle()
  t.equal(await first, 1)
  meanwhile.push(runner.request())
  t.equal(started(), 1)
  clock.advance(1000)
  t.equal(started(), 2)
  await settle()
  t.same(await Promise.all(meanwhile), [2, 2, 2])
  clock.advance(5000)
  t.equal(started(), 2, 'nobody asked again')
})

t.test('what cannot wait does not wait for the gap, only for the run under way', async (t) => {
  const { runner, settle, started } = fixture()
  void runner.request()
  const urgent = runner.requestNow()
  t.equal(started(), 1)
  await settle()
  t.equal(started(), 2)
  await settle()
  t.equal(await urgent, 2)
})

t.test('the error of a run rejects its request, and the next run starts', async (t) => {
  const clock = manualClock('2026-01-01T00:00:00Z')
  let count = 0
  const runner = createRunner(
    async () => {
      if (++count === 1) throw new Error('no')
      return count
    },
    0,
    clock,
  )
  await t.rejects(runner.request(), { message: 'no' })
  t.equal(await runner.request(), 2)
})
