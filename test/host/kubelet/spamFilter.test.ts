import t from 'tap'
import { spamFilter } from '../../../src/host/kubelet/spamFilter.js'

t.test('after 25 Events of a pod, there is one in five minutes', (t) => {
  let time = 0
  const mayReport = spamFilter(() => time)
  const reported = Array.from({ length: 40 }, mayReport).filter(Boolean)
  t.equal(reported.length, 25)
  time = 299_999
  t.notOk(mayReport())
  time = 300_000
  t.ok(mayReport())
  t.notOk(mayReport())
  time = 86_400_000
  t.equal(Array.from({ length: 40 }, mayReport).filter(Boolean).length, 25)
  t.end()
})
