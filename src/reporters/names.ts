/** The names of all reporters, the default first: what `--reporter` takes. */
export const reporterNames = ['pretty', 'brief', 'tap', 'json', 'junit', 'markdown', 'events'] as const

export type ReporterName = (typeof reporterNames)[number]
