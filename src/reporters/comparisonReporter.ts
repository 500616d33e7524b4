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
import type { TextReporterName } from './names.js'
import { prettyComparison } from './prettyComparison.js'
import { printable } from '../text/printable.js'
import { formatTable } from '../text/table.js'
import { labFailed, labPassed, tally } from '../results/verdict.js'

/** A lab in one of several modes; `name` is its name in events. */
export interface ComparedCell {
  readonly name: string
  readonly lab: string
  /** The argument of `vethlab run` that names the lab. */
  readonly argument: string
  readonly mode: string
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 110

/**
 * A reporter of labs that run in several modes. `pretty`, `brief` and `json` show the modes side by side at the end; the
 * other reporters show a lab in each mode as a separate lab.
 */
export function createComparisonReporter(
  name: TextReporterName,
  cells: readonly ComparedCell[],
  options: ReporterOptions,
): Reporter {
  const forms: Partial<Record<TextReporterName, typeof tables>> = { pretty: tables, brief: overview, json }
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
      own[0]?.argument ?? lab,
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

/** A line for each lab: how many checks passed in each mode. */
function overview(comparisons: readonly Comparison[], { colour, width }: Options): string {
  const colours = createColours(colour)
  const modes = [...new Set(comparisons.flatMap((one) => one.modes.map(({ mode }) => mode)))]
  const rows = comparisons.map((one) => [
    one.lab,
    ...modes.map((mode) => cellOf(one.modes.find((each) => each.mode === mode)?.report)),
  ])
  const table = formatTable([['', ...modes], ...rows], { right: modes.map((_, index) => index + 1) })
  return [table, '\n', ...reasonsOf(comparisons, colours), closingOf(comparisons, colours, width)].join('')
}

function cellOf(report: LabReport | undefined): string {
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
  const parts = [
    `${comparisons.filter(({ ok }) => ok).length} of ${count(comparisons.length, 'lab')} passed in every mode in which they ran`,
    ...(notRun.length === 0 ? [] : [`${notRun.length} not run`]),
    ...(failed.length === 0
      ? []
      : [colours.bad(`failed: ${failed.map(({ lab }) => printable(lab)).join(', ')}`)]),
  ]
  return [...detail, '', parts.join(', ')].map((line) => `${line}\n`).join('')
}

/** The part of the document that describes a lab. */
export function comparedModes({ lab, title, ok, modes, steps }: Comparison) {
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
}

function json(comparisons: readonly Comparison[]): string {
  const labs = comparisons.map(comparedModes)
  return jsonText(
    resultDocument({
      ok: !labs.some(({ modes }) => modes.some((one) => one.skipped === undefined && !one.ok)),
      labs,
    }),
  )
}
