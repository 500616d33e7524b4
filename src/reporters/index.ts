import { createBriefReporter } from './brief.js'
import { createEventLines } from './eventLines.js'
import type { CreateReporter, Reporter, ReporterOptions } from '../results/events.js'
import { createJsonReporter } from './json.js'
import { createJunitReporter } from './junit.js'
import { createMarkdownReporter } from './markdown.js'
import { createPrettyReporter } from './pretty.js'
import { createTap13Reporter } from './tap13.js'
import { createTapReporter } from './tap.js'
import type { TextReporterName } from './names.js'

const reporters = {
  pretty: createPrettyReporter,
  brief: createBriefReporter,
  tap: createTapReporter,
  tap13: createTap13Reporter,
  json: createJsonReporter,
  junit: createJunitReporter,
  markdown: createMarkdownReporter,
  events: createEventLines,
} as const satisfies Readonly<Record<TextReporterName, CreateReporter>>

/** Creates a reporter by its name; it writes whole lines to `options.write`. */
export function createReporter(name: TextReporterName, options: ReporterOptions): Reporter {
  return reporters[name](options)
}
