import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { WriteError } from '../errors.js'
import { openForCaller } from '../host/callerFiles.js'
import type { Reporter, ReporterOptions } from '../reporters/events.js'
import { createReporter } from '../reporters/index.js'
import type { ReporterName } from '../reporters/names.js'
import { terminal } from './terminal.js'
import { printColoured } from './output.js'

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
  const file = createWriteStream(output, { fd: openOutput(output) })
  const written = once(file, 'finish')
  written.catch(() => undefined)
  const reporters = [
    create(reporter, {
      write: (text) => void file.write(text),
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
      file.end()
      await written.catch((error: unknown) => refuseOutput(output, error))
    },
  }
}

function openOutput(output: string): number {
  try {
    return openForCaller(output)
  } catch (error) {
    return refuseOutput(output, error)
  }
}

function refuseOutput(output: string, error: unknown): never {
  throw new WriteError(`the report to ${output}`, error)
}
