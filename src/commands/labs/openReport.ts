import { WriteError } from '../../errors.js'
import { openOutput, type Output } from '../../host/callerFiles.js'
import type { Reporter, ReporterOptions } from '../../results/events.js'
import { createReporter } from '../../reporters/index.js'
import type { ReporterName } from '../../reporters/names.js'
import { terminal } from '../terminal.js'
import { printColoured } from '../output.js'

/** How results are to be told, and where. */
export interface ReportFlags {
  readonly all?: true
  readonly verbose?: true
  readonly reporter?: ReporterName
  readonly output?: string
}

/** A reporter, and what ends it. */
export interface OpenReport {
  readonly report: Reporter
  readonly finish: () => Promise<void>
}

/** The reporter asked for; with `--output` the report goes to the file and a person still sees one on the screen. */
export function openReport(
  { all, verbose, output, ...flags }: ReportFlags,
  create: (name: ReporterName, options: ReporterOptions) => Reporter = createReporter,
): OpenReport {
  const screen = {
    write: (text: string) => printColoured(text),
    ...terminal(),
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
      await file.end().catch((error: unknown) => refuseOutput(output, error))
    },
  }
}

function openFor(output: string): Output {
  try {
    return openOutput(output)
  } catch (error) {
    return refuseOutput(output, error)
  }
}

function refuseOutput(output: string, error: unknown): never {
  throw new WriteError(`the report to ${output}`, error)
}
