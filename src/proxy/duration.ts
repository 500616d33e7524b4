const unitSeconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/** Seconds of a Go duration such as `1m30s`; undefined if invalid. Mirrors time.ParseDuration. */
export function parseDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1
  const rest = text.replace(/^[+-]/, '')
  if (rest === '0') return 0
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(rest)) return undefined
  let seconds = 0
  for (const [, amount, unit] of rest.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) {
    seconds += Number(amount) * (unitSeconds[unit ?? ''] ?? 0)
  }
  return sign * seconds
}
