/** A parsed schedule: the values of each field, in the order of a crontab, or a fixed interval. */
type Schedule = { readonly everyMs: number } | { readonly fields: readonly CronField[] }

interface CronField {
  readonly values: ReadonlySet<number>
  /** True for `*` and `?`: a day then only has to match the other day field. */
  readonly any: boolean
}

const ranges = [
  { first: 0, last: 59 },
  { first: 0, last: 23 },
  { first: 1, last: 31 },
  { first: 1, last: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { first: 0, last: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
] as const

const named: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Whether a text is a schedule of a CronJob (robfig/cron, ParseStandard). */
export function isSchedule(text: string): boolean {
  return parse(text) !== undefined
}

/**
 * The first time of a schedule after a time, in milliseconds since 1970; undefined if there is none within five years.
 * A zone such as `Europe/Paris` is where the fields apply, UTC by default.
 */
export function nextTime(text: string, after: number, zone = 'UTC'): number | undefined {
  const schedule = parse(text)
  if (schedule === undefined) return undefined
  if ('everyMs' in schedule) return Math.floor(after / 1000) * 1000 + schedule.everyMs
  // the fields apply to local time: it is counted as if it were UTC, and converted back
  const local = nextLocal(schedule.fields, after + offsetOf(after, zone))
  if (local === undefined) return undefined
  return local - offsetOf(local - offsetOf(local, zone), zone)
}

function nextLocal(fields: readonly CronField[], after: number): number | undefined {
  const [minutes, hours] = fields
  const start = new Date(Math.floor(after / 60_000) * 60_000 + 60_000)
  const day = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()))
  for (let count = 0; count <= 5 * 366; count++, day.setUTCDate(day.getUTCDate() + 1)) {
    if (!matchesDay(fields, day)) continue
    for (let minute = 0; minute < 24 * 60; minute++) {
      const time = day.getTime() + minute * 60_000
      if (time < start.getTime()) continue
      if (minutes?.values.has(minute % 60) === true && hours?.values.has(Math.floor(minute / 60)) === true)
        return time
    }
  }
  return undefined
}

function matchesDay([, , days, months, weekdays]: readonly CronField[], date: Date): boolean {
  if (days === undefined || weekdays === undefined) return false
  if (months?.values.has(date.getUTCMonth() + 1) !== true) return false
  const [day, weekday] = [days.values.has(date.getUTCDate()), weekdays.values.has(date.getUTCDay())]
  return days.any || weekdays.any ? day && weekday : day || weekday
}

function offsetOf(time: number, zone: string): number {
  if (zone === 'UTC') return 0
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(time)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(time / 1000) * 1000
}

function parse(text: string): Schedule | undefined {
  const every = /^@every ((?:\d+h)?(?:\d+m)?(?:\d+s)?)$/.exec(text)?.[1]
  if (every !== undefined && every !== '') {
    const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(every)?.[1] ?? 0)
    return { everyMs: Math.max(1, of('h') * 3600 + of('m') * 60 + of('s')) * 1000 }
  }
  const words = (named[text] ?? text).trim().split(/\s+/)
  if (words.length !== ranges.length) return undefined
  const fields = words.map((word, index) => fieldOf(word, ranges[index] ?? ranges[0]))
  return fields.every((field) => field !== undefined) ? { fields } : undefined
}

interface FieldRange {
  readonly first: number
  readonly last: number
  readonly names?: readonly string[]
}

function fieldOf(word: string, range: FieldRange): CronField | undefined {
  const values = new Set<number>()
  for (const part of word.toLowerCase().split(',')) {
    const match = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part)
    if (match === null) return undefined
    const [, from = '', to, every] = match
    const all = from === '*' || from === '?'
    const first = all ? range.first : numberOf(from, range)
    const last = to === undefined ? (all || every !== undefined ? range.last : first) : numberOf(to, range)
    const step = every === undefined ? 1 : Number(every)
    if (first < range.first || last > range.last || first > last || step < 1 || Number.isNaN(first + last))
      return undefined
    for (let value = first; value <= last; value += step) values.add(value)
  }
  return { values, any: word.startsWith('*') || word.startsWith('?') }
}

function numberOf(word: string, { first, names = [] }: FieldRange): number {
  const index = names.indexOf(word)
  return index === -1 ? (/^\d+$/.test(word) ? Number(word) : NaN) : index + first
}
