/** The names of all reporters, the default first: the values of `--reporter`. */
export const reporterNames = [
  'pretty',
  'brief',
  'tap',
  'tap13',
  'json',
  'junit',
  'markdown',
  'events',
] as const

export type ReporterName = (typeof reporterNames)[number]
