/** The names of the reporters that write text, the default first. */
export const textReporterNames = [
  'pretty',
  'brief',
  'tap',
  'tap13',
  'json',
  'junit',
  'markdown',
  'events',
] as const

export type TextReporterName = (typeof textReporterNames)[number]

/** The values of `--reporter`. */
export const reporterNames = [...textReporterNames, 'html'] as const

export type ReporterName = (typeof reporterNames)[number]
