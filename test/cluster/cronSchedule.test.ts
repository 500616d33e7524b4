import t from 'tap'
import { isSchedule, nextTime } from '../../src/cluster/cronSchedule.js'

function next(schedule: string, after: string, zone?: string): string | undefined {
  const time = nextTime(schedule, Date.parse(after), zone)
  return time === undefined ? undefined : new Date(time).toISOString()
}

t.test('the next time of a schedule', (t) => {
  const after = '2026-03-10T10:07:30Z'
  t.equal(next('*/5 * * * *', after), '2026-03-10T10:10:00.000Z')
  t.equal(next('* * * * *', '2026-03-10T10:07:00Z'), '2026-03-10T10:08:00.000Z', 'later than now')
  t.equal(next('0 9-17/4 * * mon-fri', after), '2026-03-10T13:00:00.000Z')
  t.equal(next('30 2 29 feb *', after), '2028-02-29T02:30:00.000Z')
  t.equal(next('0 0 13 * 5', after), '2026-03-13T00:00:00.000Z', 'both days are set: either matches')
  t.equal(next('0 0 1 * 5', after), '2026-03-13T00:00:00.000Z')
  t.equal(next('@daily', after), '2026-03-11T00:00:00.000Z')
  t.equal(next('@every 1m30s', after), '2026-03-10T10:09:00.000Z')
  t.equal(next('0 12 * * *', after, 'Asia/Seoul'), '2026-03-11T03:00:00.000Z')
  t.equal(next('0 0 31 2 *', after), undefined)
  t.end()
})

t.test('what is not a schedule', (t) => {
  for (const text of [
    '',
    '* * * *',
    '60 * * * *',
    '* * * * 7',
    '*/0 * * * *',
    '5-1 * * * *',
    'a * * * *',
    '@never',
  ])
    t.notOk(isSchedule(text), text)
  t.end()
})
