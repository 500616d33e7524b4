import { WriteError } from '../../errors.js'
import { openOutput, type Output } from '../../host/callerFiles.js'
import type { Reporter, ReporterOptions } from '../../results/events.js'
import { createReporter } from '../../reporters/index.js'
import type { ReporterName } from '../../reporters/names.js'
import type { Language } from '../../text/language.js'
import { chosenLanguage } from '../options.js'
import { terminal } from '../terminal.js'
import { printColoured } from '../output.js'

/** The format and destination of the results. */
export interface ReportFlags {
  readonly all?: true
  readonly verbose?: true
  readonly reporter?: ReporterName
  readonly output?: string
  readonly lang?: Language
}

/** A reporter, and the function that ends it. */
export interface OpenReport {
  readonly report: Reporter
  readonly finish: () => Promise<void>
}

/** The requested reporter. With `--output` it writes to the file, and the terminal shows the default report. */
export function openReport(
  { all, verbose, output, lang, ...flags }: ReportFlags,
  create: (name: ReporterName, options: ReporterOptions) => Reporter = createReporter,
): OpenReport {
  const language = chosenLanguage(lang)
  const screen = {
    write: (text: string) => printColoured(text),
    ...terminal(),
    language,
    verbose: verbose === true,
  }
  const onScreen = all === true && verbose !== true ? 'brief' : 'pretty'
  const reporter = flags.reporter ?? onScreen
  if (output === undefined) {
    const report = create(reporter, screen)
    return { report, finish: () => Promise.resolve(report.end()) }
  }
  const file = openFor(output)
  const reporters = [
    create(reporter, {
      write: (text) => file.write(text),
      colour: false,
      width: 100,
      language,
      verbose: screen.verbose,
    }),
    ...(reporter === onScreen ? [] : [create(onScreen, screen)]),
  ]
  return {
    report: {
      on: (event) => {
        reporters.forEach((one) => one.on(event))
      },
      end: () => undefined,
    },
    async finish() {
      reporters.forEach((one) => one.end())
      await file.end().catch((error: unknown) => failOutput(output, error))
    },
  }
}

function openFor(output: string): Output {
  try {
    return openOutput(output)
  } catch (error) {
    return failOutput(output, error)
  }
}

function failOutput(output: string, error: unknown): never {
  throw new WriteError(`the report to ${output}`, error)
}
