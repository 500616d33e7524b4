import t from 'tap'
import { isTimeZone, nextTime, scheduleProblem } from '../../src/cluster/cronSchedule.js'

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

// Recorded from the API server of Kubernetes 1.36.2.
t.test('what is wrong with a schedule', (t) => {
  const problems: Record<string, string | undefined> = {
    '* * * *': 'expected exactly 5 fields, found 4: [* * * *]',
    '  ': 'expected exactly 5 fields, found 0: []',
    '60 * * * *': 'end of range (60) above maximum (59): 60',
    '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
    '* * * * 8': 'end of range (8) above maximum (6): 8',
    'a * * * *': 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
    '-1 * * * *': 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
    '*/x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    '*/0 * * * *': 'step of range should be a positive number: */0',
    '1-70 * * * *': 'end of range (70) above maximum (59): 1-70',
    '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
    '1/2/3 * * * *': 'too many slashes: 1/2/3',
    '1-2-3 * * * *': 'too many hyphens: 1-2-3',
    '@never': 'unrecognized descriptor: @never',
    '@every x': 'failed to parse duration @every x: time: invalid duration "x"',
    'CRON_TZ=Foo * * * * *': 'provided bad location Foo: unknown time zone Foo',
    '@every 0s': undefined,
    '1,,2 * * * *': undefined,
    '*/90 * * * *': undefined,
    '? ? ? ? ?': undefined,
  }
  for (const [text, problem] of Object.entries(problems)) t.equal(scheduleProblem(text), problem, text)
  t.equal(
    scheduleProblem('@every 1.5'),
    'failed to parse duration @every 1.5: time: missing unit in duration "1.5"',
  )
  t.equal(
    scheduleProblem('@every 1y'),
    'failed to parse duration @every 1y: time: unknown unit "y" in duration "1y"',
  )
  t.end()
})

t.test('names of time zones', (t) => {
  for (const zone of ['UTC', 'Europe/Paris', 'EST', 'Local', 'Etc/GMT+5']) t.ok(isTimeZone(zone), zone)
  for (const zone of ['utc', 'local', 'Foo', '+01:00', '../x', '*.x', '']) t.notOk(isTimeZone(zone), zone)
  t.end()
})
