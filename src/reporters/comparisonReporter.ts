import { createColours, type Colours } from '../text/colour.js'
import { compare, type Comparison } from '../results/comparison.js'
import { count } from '../text/count.js'
import type { CreateReporter, Reporter, ReporterOptions, LabReport } from '../results/events.js'
import { groupBy } from '../groupBy.js'
import { createReporter } from './index.js'
import { resultDocument } from '../results/document.js'
import { withProtocols } from './json.js'
import { jsonText } from './jsonText.js'
import { createLabReports } from './labReports.js'
import type { ReporterName } from './names.js'
import { prettyComparison } from './prettyComparison.js'
import { printable } from '../text/printable.js'
import { formatTable } from '../text/table.js'
import { labFailed, labPassed, tally } from '../results/verdict.js'

/** A lab that is run in one of several modes; events call it by `name`. */
export interface ComparedCell {
  readonly name: string
  readonly lab: string
  /** How `vethlab run` is told of the lab. */
  readonly asked: string
  readonly mode: string
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 110

/**
 * A reporter of labs that are run in several modes. `pretty`, `brief` and `json` put the modes side by side once all is
 * done; to others a lab in a mode is a lab of its own.
 */
export function createComparisonReporter(
  name: ReporterName,
  cells: readonly ComparedCell[],
  options: ReporterOptions,
): Reporter {
  const forms: Partial<Record<ReporterName, typeof tables>> = { pretty: tables, brief: overview, json }
  const form = forms[name]
  if (form === undefined) return createReporter(name, options)
  const reports = createLabReports()
  return {
    on: (event) => reports.on(event),
    end: () => options.write(form(comparisonsOf(cells, reports.all()), options)),
  }
}

function comparisonsOf(cells: readonly ComparedCell[], reports: readonly LabReport[]): Comparison[] {
  const byLab = groupBy(cells, ({ lab }) => lab)
  return [...byLab].map(([lab, own]) =>
    compare(
      lab,
      own[0]?.asked ?? lab,
      own.flatMap(({ name, mode }) => {
        const report = reports.find((one) => one.lab === name)
        return report === undefined ? [] : [{ mode, report }]
      }),
    ),
  )
}

type Options = Parameters<CreateReporter>[0]

function tables(comparisons: readonly Comparison[], { colour, width }: Options): string {
  const colours = createColours(colour)
  const each = comparisons.map((one) => prettyComparison(one, Math.min(width, widest), colours))
  return each.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

/** A line for each lab: how many checks held in each mode. */
function overview(comparisons: readonly Comparison[], { colour, width }: Options): string {
  const colours = createColours(colour)
  const modes = [...new Set(comparisons.flatMap((one) => one.modes.map(({ mode }) => mode)))]
  const rows = comparisons.map((one) => [
    one.lab,
    ...modes.map((mode) => wordOf(one.modes.find((each) => each.mode === mode)?.report)),
  ])
  const table = formatTable([['', ...modes], ...rows], { right: modes.map((_, index) => index + 1) })
  return [table, '\n', ...reasonsOf(comparisons, colours), closingOf(comparisons, colours, width)].join('')
}

function wordOf(report: LabReport | undefined): string {
  if (report === undefined || report.skipped !== undefined) return '–'
  const { passed, failed } = tally(report.steps)
  return labPassed(report) ? `✔ ${passed}` : `✖ ${passed} of ${passed + failed}`
}

function reasonsOf(comparisons: readonly Comparison[], colours: Colours): string[] {
  const skipped = comparisons.flatMap(({ lab, modes }) =>
    modes.flatMap(({ mode, report }) =>
      report.skipped === undefined ? [] : [{ lab, mode, why: report.skipped }],
    ),
  )
  const byReason = groupBy(skipped, ({ lab, why }) => `${lab}: ${why}`)
  return [...byReason].map(([text, each]) => {
    const line = `– ${printable(text)} (${each.map(({ mode }) => mode).join(', ')})`
    return `${colours.dim(line)}\n`
  })
}

function closingOf(comparisons: readonly Comparison[], colours: Colours, width: number): string {
  const failed = comparisons.filter(({ modes }) => modes.some(({ report }) => labFailed(report)))
  const detail = failed.flatMap((one) => ['', ...prettyComparison(one, Math.min(width, widest), colours)])
  const notRun = comparisons.filter(({ modes }) => modes.every(({ report }) => report.skipped !== undefined))
  const words = [
    `${comparisons.filter(({ ok }) => ok).length} of ${count(comparisons.length, 'lab')} passed in every mode that they were run in`,
    ...(notRun.length === 0 ? [] : [`${notRun.length} not run`]),
    ...(failed.length === 0
      ? []
      : [colours.bad(`failed: ${failed.map(({ lab }) => printable(lab)).join(', ')}`)]),
  ]
  return [...detail, '', words.join(', ')].map((line) => `${line}\n`).join('')
}

function json(comparisons: readonly Comparison[]): string {
  const labs = comparisons.map(({ lab, title, ok, modes, steps }) => {
    const byMode = (outcomes: Comparison['steps'][number]['outcomes']) =>
      Object.fromEntries(outcomes.map((outcome, index) => [modes[index]?.mode ?? '', outcome]))
    return {
      ...{ lab, title, ok },
      steps: steps.map(({ name, outcomes, checks }) => ({
        name,
        outcomes: byMode(outcomes),
        checks: checks.map((check) => ({ name: check.name, outcomes: byMode(check.outcomes) })),
      })),
      modes: modes.map(({ mode, report }) => ({ ...withProtocols(report), lab, mode })),
    }
  })
  return jsonText(
    resultDocument({
      ok: !labs.some(({ modes }) => modes.some((one) => one.skipped === undefined && !one.ok)),
      labs,
    }),
  )
}
