import type { CreateReporter, Reporter, ReporterOptions } from './events.js'
import { createJsonReporter } from './json.js'
import { createJunitReporter } from './junit.js'
import { createPrettyReporter } from './pretty.js'
import { createTapReporter } from './tap.js'

const reporters = {
  pretty: createPrettyReporter,
  tap: createTapReporter,
  json: createJsonReporter,
  junit: createJunitReporter,
} as const satisfies Readonly<Record<string, CreateReporter>>

/** What `--reporter` takes. */
export type ReporterName = keyof typeof reporters

/** The names of all reporters, the default first. */
export const reporterNames = Object.keys(reporters) as readonly ReporterName[]

/** A reporter by its name; text goes to `options.write` in whole lines. */
export function createReporter(name: ReporterName, options: ReporterOptions): Reporter {
  return reporters[name](options)
}
