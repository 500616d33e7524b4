import type { Reporter, ReporterOptions } from '../../results/events.js'
import { createReporter } from '../../reporters/index.js'
import type { ReporterName, TextReporterName } from '../../reporters/names.js'
import type { Language } from '../../text/language.js'
import { chosenLanguage } from '../options.js'
import { terminal } from '../terminal.js'
import { openReportFile, print, printColoured } from '../output.js'
import { createHtmlRun, type HtmlRun } from './htmlRun.js'
import { withProgress } from './progress.js'

/** The format and destination of the results. */
export interface ReportFlags {
  readonly all?: true
  readonly verbose?: true
  readonly keep?: true
  readonly reporter?: ReporterName
  readonly output?: string
  readonly lang?: Language
}

/** How reports are made. */
export interface ReportForms {
  readonly create?: (name: TextReporterName, options: ReporterOptions) => Reporter
  readonly html?: HtmlRun
}

/** A reporter, and the function that ends it. */
export interface OpenReport {
  readonly report: Reporter
  readonly finish: () => Promise<void>
}

/** The requested reporter. With `--output` it writes to the file, and the terminal shows the default report. */
export function openReport(
  { all, verbose, keep, output, lang, ...flags }: ReportFlags,
  { create = createReporter, html = createHtmlRun() }: ReportForms = {},
): OpenReport {
  const language = chosenLanguage(lang)
  const made = (name: ReporterName, options: ReporterOptions) =>
    name === 'html' ? html.create(options) : create(name, options)
  const onScreen = all === true && verbose !== true ? 'brief' : 'pretty'
  const reporter = flags.reporter ?? onScreen
  // other formats are for programs, which read UTF-8 in every locale
  const forPeople = output !== undefined || reporter === 'pretty' || reporter === 'brief'
  const screen = {
    write: forPeople ? printColoured : print,
    ...terminal(),
    language,
    verbose: verbose === true,
    kept: keep === true,
  }
  if (output === undefined) {
    const report = withProgress(made(reporter, screen), reporter !== 'pretty')
    return { report, finish: () => Promise.resolve(report.end()) }
  }
  const file = openReportFile(output)
  const reporters = [
    made(reporter, {
      write: (text) => file.write(text),
      colour: false,
      width: 100,
      language,
      verbose: screen.verbose,
      kept: screen.kept,
    }),
    ...(reporter === onScreen ? [] : [made(onScreen, screen)]),
  ]
  const report = withProgress(
    {
      on: (event) => reporters.forEach((one) => one.on(event)),
      end: () => reporters.forEach((one) => one.end()),
    },
    onScreen === 'brief',
  )
  return {
    report,
    async finish() {
      report.end()
      await file.end()
    },
  }
}
