import { appendFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { logTimes, watchLogs } from '../../../src/host/kubeApi/pods/logTimes.js'
import { writeTimes } from '../../../src/host/kubeApi/pods/writeTimes.js'
import { previousLog } from '../../../src/topology/planContainers.js'
import { until } from '../../../src/host/until.js'

void t.test('the times of the parts of a file', (t) => {
  const times = writeTimes()
  times.note(10, 100)
  times.note(10, 150)
  times.note(20, 200)
  t.same([0, 9, 10, 19, 20].map(times.at), [100, 100, 200, 200, 200], 'after the end, the last time')
  times.note(5, 300)
  t.same([0, 9].map(times.at), [300, 300], 'it was emptied')
  t.end()
})

void t.test('a file of any size needs little memory', (t) => {
  const times = writeTimes(10)
  for (let size = 1; size <= 1000; size++) times.note(size, size)
  const found = Array.from({ length: 1000 }, (_, offset) => times.at(offset))
  t.ok(
    found.every((time, offset) => time > offset && time >= (found[offset - 1] ?? 0)),
    'never too early',
  )
  t.equal(found.at(-1), 1000)
  t.ok(new Set(found).size >= 5, 'and not all the same')
  t.end()
})

void t.test('writes are noted as they happen', async (t) => {
  const folder = t.testdir({})
  const times = logTimes()
  const looked: string[] = []
  const watched = {
    of: times.of,
    look(log: string) {
      looked.push(log)
      times.look(log)
    },
  }
  const watcher = watchLogs(folder, watched)
  t.teardown(() => watcher.close())
  const log = join(folder, 'web')
  const isNoted = () => until(() => looked.includes(log), { patienceMs: 60_000 })
  writeFileSync(log, 'first\n')
  t.ok(await isNoted())
  // a later time of the file does not change that of what was written before
  const noted = times.of(statSync(log)).at(0)
  looked.length = 0
  appendFileSync(log, 'second\n')
  utimesSync(log, new Date(noted + 5000), new Date(noted + 5000))
  t.ok(await isNoted())
  const now = times.of(statSync(log))
  t.equal(now.at(0), noted)
  t.ok(now.at(6) >= noted)
  looked.length = 0
  renameSync(log, previousLog(log))
  t.ok(await isNoted())
  t.equal(times.of(statSync(previousLog(log))).at(0), noted, 'also under its new name')
})
