import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { WriteError } from '../../errors.js'
import { isStream, openForCaller, replaceForCaller, tryToReplace } from '../../host/callerFiles.js'
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
  const file = openOutput(output)
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

/** What is written of a report. */
interface Output {
  write(text: string): void
  /** Resolves when all of it is written. */
  end(): Promise<void>
}

/** A file gets the report as a whole, at its end: two commands that write the same file do not mix their reports. */
function openOutput(output: string): Output {
  try {
    if (isStream(output)) return openStream(output)
    tryToReplace(output)
  } catch (error) {
    return refuseOutput(output, error)
  }
  let report = ''
  return {
    write: (text) => void (report += text),
    end: () => new Promise((resolve) => resolve(replaceForCaller(output, (fd) => writeFileSync(fd, report)))),
  }
}

function openStream(output: string): Output {
  const stream = createWriteStream(output, { fd: openForCaller(output) })
  const written = once(stream, 'finish').then(() => undefined)
  written.catch(() => undefined)
  return {
    write: (text) => void stream.write(text),
    end() {
      stream.end()
      return written
    },
  }
}

function refuseOutput(output: string, error: unknown): never {
  throw new WriteError(`the report to ${output}`, error)
}
