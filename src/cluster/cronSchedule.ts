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

/** What is wrong with the schedule of a CronJob, in the words of the API server; undefined for a schedule. */
export function scheduleProblem(text: string): string | undefined {
  const parsed = parse(text)
  return typeof parsed === 'string' ? parsed : undefined
}

/**
 * The first time of a schedule after a time, in milliseconds since 1970; undefined if there is none within five years.
 * A zone such as `Europe/Paris` is where the fields apply, UTC by default.
 */
export function nextTime(text: string, after: number, zone = 'UTC'): number | undefined {
  const schedule = parse(text)
  if (typeof schedule === 'string') return undefined
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

/** A schedule, or the words of robfig/cron (ParseStandard) for what is wrong with it. */
function parse(text: string): Schedule | string {
  if (text === '') return 'empty spec string'
  const [, zone] = /^(?:CRON_)?TZ=(\S*)/.exec(text) ?? []
  if (zone !== undefined && !isTimeZone(zone))
    return `provided bad location ${zone}: unknown time zone ${zone}`
  const rest = zone === undefined ? text : text.slice(text.indexOf(' ')).trim()
  if (rest.startsWith('@every ')) return everyOf(rest)
  if (rest.startsWith('@') && named[rest] === undefined) return `unrecognized descriptor: ${rest}`
  const words = (named[rest] ?? rest).split(/\s+/).filter((word) => word !== '')
  if (words.length !== ranges.length)
    return `expected exactly ${ranges.length} fields, found ${words.length}: [${words.join(' ')}]`
  const fields: CronField[] = []
  for (const [index, word] of words.entries()) {
    const field = fieldOf(word, ranges[index] ?? ranges[0])
    if (typeof field === 'string') return field
    fields.push(field)
  }
  return { fields }
}

function everyOf(text: string): Schedule | string {
  const duration = text.slice('@every '.length)
  const milliseconds = goDuration(duration)
  if (typeof milliseconds === 'string') return `failed to parse duration ${text}: ${milliseconds}`
  return { everyMs: Math.max(1, Math.floor(milliseconds / 1000)) * 1000 }
}

const unitMs: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
}

/** A duration in milliseconds, or the error of Go's time.ParseDuration. */
function goDuration(text: string): number | string {
  const invalid = `time: invalid duration ${JSON.stringify(text)}`
  const [, sign, body = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  if (body === '0') return 0
  if (body === '') return invalid
  let sum = 0
  for (let rest = body; rest !== '';) {
    const [, number = '', unit = '', after = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)(.*)$/s.exec(rest) ?? []
    if (number === '') return invalid
    if (unit === '') return `time: missing unit in duration ${JSON.stringify(text)}`
    const factor = unitMs[unit]
    if (factor === undefined)
      return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`
    sum += Number(number) * factor
    rest = after
  }
  return sign === '-' ? -sum : sum
}

/** Whether a text names a time zone such as `Europe/Paris`. */
export function isTimeZone(text: string): boolean {
  // the names are those of files: an offset is none, and case matters
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return text === 'Local'
  }
}

interface FieldRange {
  readonly first: number
  readonly last: number
  readonly names?: readonly string[]
}

function fieldOf(word: string, range: FieldRange): CronField | string {
  const values = new Set<number>()
  let any = false
  for (const part of word.split(',').filter((one) => one !== '')) {
    const parsed = partOf(part, range)
    if (typeof parsed === 'string') return parsed
    const { first, last, step } = parsed
    any ||= parsed.any
    for (let value = first; value <= last; value += step) values.add(value)
  }
  return { values, any }
}

interface Part {
  readonly first: number
  readonly last: number
  readonly step: number
  readonly any: boolean
}

/** One part of a field: `*`, a number or name, `first-last`, each with `/step` (getRange). */
function partOf(part: string, range: FieldRange): Part | string {
  const [ends = '', every, ...slashes] = part.split('/')
  const [from = '', to, ...hyphens] = ends.split('-')
  const all = from === '*' || from === '?'
  const first = all ? range.first : numberOf(from, range)
  if (typeof first === 'string') return first
  if (hyphens.length > 0 && !all) return `too many hyphens: ${part}`
  const end = all ? range.last : to === undefined ? first : numberOf(to, range)
  if (typeof end === 'string') return end
  if (slashes.length > 0) return `too many slashes: ${part}`
  const step = every === undefined ? 1 : numberOf(every, { ...range, names: [] })
  if (typeof step === 'string') return step
  const last = every !== undefined && to === undefined ? range.last : end
  if (first < range.first) return `beginning of range (${first}) below minimum (${range.first}): ${part}`
  if (last > range.last) return `end of range (${last}) above maximum (${range.last}): ${part}`
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${part}`
  if (step === 0) return `step of range should be a positive number: ${part}`
  return { first, last, step, any: all && step === 1 }
}

function numberOf(word: string, { first, names = [] }: FieldRange): number | string {
  const index = names.indexOf(word.toLowerCase())
  if (index !== -1) return index + first
  if (!/^[-+]?\d+$/.test(word))
    return `failed to parse int from ${word}: strconv.Atoi: parsing ${JSON.stringify(word)}: invalid syntax`
  return Number(word) < 0 ? `negative number (${Number(word)}) not allowed: ${word}` : Number(word)
}
