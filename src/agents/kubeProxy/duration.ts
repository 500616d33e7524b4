const unitSeconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/** Longest duration of Go: 64 bits of nanoseconds. */
const longestSeconds = 2 ** 63 / 1e9

/** Seconds of a Go duration such as `1m30s`, or the error message of Go. Mirrors time.ParseDuration. */
export function readDuration(text: string): number | string {
  const quoted = JSON.stringify(text)
  const rest = text.replace(/^[+-]/, '')
  if (rest === '0') return 0
  if (rest === '') return `time: invalid duration ${quoted}`
  let seconds = 0
  for (let left = rest; left !== '';) {
    const amount = /^(?:\d+\.?\d*|\.\d+)/.exec(left)?.[0]
    if (amount === undefined) return `time: invalid duration ${quoted}`
    const unit = /^[^.\d]*/.exec(left.slice(amount.length))?.[0] ?? ''
    if (unit === '') return `time: missing unit in duration ${quoted}`
    const factor = Object.hasOwn(unitSeconds, unit) ? unitSeconds[unit] : undefined
    if (factor === undefined) return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`
    seconds += Number(amount) * factor
    if (seconds > longestSeconds) return `time: invalid duration ${quoted}`
    left = left.slice(amount.length + unit.length)
  }
  return text.startsWith('-') ? -seconds : seconds
}

/** A duration as Go prints it: `1m30s`, `500ms`. Mirrors Duration.String. */
export function durationText(seconds: number): string {
  if (seconds < 0) return `-${durationText(-seconds)}`
  const nanoseconds = Math.round(seconds * 1e9)
  if (nanoseconds === 0) return '0s'
  if (nanoseconds < 1e3) return `${nanoseconds}ns`
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}µs`
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`
  const whole = Math.floor(nanoseconds / 1e9)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = `${(nanoseconds - (whole - (whole % 60)) * 1e9) / 1e9}s`
  return `${hours > 0 ? `${hours}h` : ''}${whole >= 60 ? `${minutes}m` : ''}${rest}`
}
