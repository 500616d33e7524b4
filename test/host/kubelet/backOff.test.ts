import t from 'tap'
import { backOffSeconds, nextBackOff, type BackOff } from '../../../src/host/kubelet/backOff.js'

t.test('a container that fails at once waits 10 s, doubled up to 300 s', (t) => {
  let last: BackOff | undefined
  let now = 0
  const waits: number[] = []
  for (let count = 0; count < 8; count++) {
    const seconds = backOffSeconds(last, now)
    waits.push(seconds)
    const endedAt = now
    now += seconds * 1000
    last = nextBackOff(last, endedAt, now)
  }
  t.same(waits, [0, 10, 20, 40, 80, 160, 300, 300])
  t.end()
})

t.test('after more than ten minutes without an end, it starts again', (t) => {
  const last = { seconds: 300, at: 0 }
  t.equal(backOffSeconds(last, 600_000), 300)
  t.equal(backOffSeconds(last, 600_001), 0)
  t.same(nextBackOff(last, 600_001, 600_001), { seconds: 10, at: 600_001 })
  t.end()
})
