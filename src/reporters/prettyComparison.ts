import type { Colours } from '../text/colour.js'
import type { ComparedCheck, Comparison, ModeReport, Outcome } from '../results/comparison.js'
import { count } from '../text/count.js'
import { formatDuration } from '../text/duration.js'
import { printable, printableLines } from '../text/printable.js'
import { textWidth, wrap } from '../text/textWidth.js'
import { labFailed, stepFailed, tally } from '../results/verdict.js'

const marks: Readonly<Record<Outcome, string>> = {
  passed: '✔',
  failed: '✖',
  'left out': '–',
  'not evaluated': '·',
}

/** The mark of an outcome. */
export function outcomeMark(outcome: Outcome, colours: Colours): string {
  const paint = {
    passed: colours.good,
    failed: colours.bad,
    'left out': colours.dim,
    'not evaluated': colours.dim,
  }
  return paint[outcome](marks[outcome])
}

/** A lab in several modes: a table of checks and modes, then the differences and their reasons. */
export function prettyComparison(comparison: Comparison, width: number, colours: Colours): string[] {
  const { lab, argument, title, modes, steps } = comparison
  const columns = modes.map(({ mode }) => Math.max(textWidth(mode), 4))
  const table = { nameWidth: width - columns.reduce((sum, column) => sum + column + 2, 0), columns, colours }
  const heading = `${colours.bold(printable(lab))}  ${printable(title)}`
  const rows = steps.flatMap((step, index) => [
    ...row(table, `${index + 1} ${printable(step.name)}`, 3, step.checks.length === 0 ? step : undefined),
    ...step.checks.flatMap((check) => row(table, `    ${printable(check.name)}`, 6, check)),
  ])
  return [
    ...wrap(heading.split(' '), width),
    cells(
      table,
      '',
      modes.map(({ mode }) => mode),
    ),
    ...rows,
    cells(
      table,
      'checks passed',
      modes.map(({ report }) => passedOf(report)),
    ),
    '',
    ...notes(modes)
      .flatMap((note) => wrap(`  ${note}`.split(' '), width, ' ', '    '))
      .map(colours.dim),
    ...modes.flatMap((mode) => differences(mode, width)).map(colours.dim),
    ...(steps.some(({ checks }) => checks.some(({ outcomes }) => outcomes.includes('not evaluated')))
      ? [colours.dim('· not evaluated: the step failed earlier, or the lab ended early')]
      : []),
    ...modes.flatMap((mode) => failures(mode, argument, width, colours)),
    closing(comparison, colours),
  ]
}

interface Table {
  readonly nameWidth: number
  readonly columns: readonly number[]
  readonly colours: Colours
}

function row({ nameWidth, ...table }: Table, name: string, hang: number, check?: ComparedCheck): string[] {
  const indent = /^ */.exec(name)?.[0] ?? ''
  const [first = '', ...rest] = wrap(
    name.trim().split(' '),
    nameWidth - 2 - indent.length,
    ' ',
    ' '.repeat(hang - indent.length),
  )
  const marks = check?.outcomes.map((outcome) => outcomeMark(outcome, table.colours)) ?? []
  return [cells({ nameWidth, ...table }, indent + first, marks), ...rest.map((line) => indent + line)]
}

/** A name, followed by a centred cell in each column. */
function cells({ nameWidth, columns }: Table, name: string, texts: readonly string[]): string {
  if (texts.length === 0) return name
  const centred = texts.map((text, index) => {
    const space = (columns[index] ?? 0) - textWidth(text)
    const before = Math.floor(space / 2)
    return '  ' + ' '.repeat(before) + text + ' '.repeat(space - before)
  })
  return (name + ' '.repeat(Math.max(0, nameWidth - textWidth(name))) + centred.join('')).trimEnd()
}

function passedOf(report: ModeReport['report']): string {
  if (report.skipped !== undefined) return '–'
  const { passed, failed } = tally(report.steps)
  return failed === 0 && !labFailed(report) ? String(passed) : `✖ ${passed}`
}

/** The notices that are not about one mode. */
function notes(modes: readonly ModeReport[]): string[] {
  const all = modes.flatMap(({ mode, report }) =>
    report.notices.filter((one) => !one.startsWith(`mode ${mode}: `)),
  )
  return [...new Set(all)].map((note) => `note: ${printableLines(note).join(' ')}`)
}

/** Why a mode has fewer results than others. */
function differences({ mode, report }: ModeReport, width: number): string[] {
  const own = `mode ${mode}: `
  const skipped = new Map<string, number[]>()
  for (const [index, step] of report.steps.entries())
    if (step.skipped !== undefined)
      skipped.set(step.skipped, [...(skipped.get(step.skipped) ?? []), index + 1])
  const reasons = [
    ...(report.skipped === undefined ? [] : [`not run: ${report.skipped}`]),
    ...report.notices.filter((one) => one.startsWith(own)).map((one) => one.slice(own.length)),
    ...[...skipped].map(
      ([reason, steps]) => `skipped, ${reason}: step${steps.length === 1 ? '' : 's'} ${steps.join(', ')}`,
    ),
  ]
  return reasons.flatMap((text) => wrap(`– ${mode}: ${printable(text)}`.split(' '), width, ' ', '    '))
}

function failures({ mode, report }: ModeReport, argument: string, width: number, colours: Colours): string[] {
  if (!labFailed(report)) return []
  const labelled = (label: string, text: string) =>
    printableLines(text)
      .flatMap((line) => wrap(line.split(' '), width - 14))
      .map((line, index) => `    ${colours.dim((index === 0 ? label : '').padEnd(10))}${line}`)
  const lines = report.steps
    .filter(stepFailed)
    .flatMap(({ name, checks, error }) => [
      ...checks
        .filter(({ ok }) => !ok)
        .flatMap((check) => [
          colours.bad(`✖ ${mode}: ${printable(name)} › ${printable(check.name)}`),
          ...labelled('expected', check.expected),
          ...labelled('observed', check.observed),
        ]),
      ...(error === undefined
        ? []
        : [colours.bad(`✖ ${mode}: ${printable(name)}`), ...labelled('error', error)]),
    ])
  const ended =
    report.error === undefined ? [] : [colours.bad(`✖ ${mode}`), ...labelled('error', report.error)]
  return [...lines, ...ended, ...labelled('packets', `vethlab run ${printable(argument)} --mode ${mode}`)]
}

function closing({ lab, ok, modes }: Comparison, colours: Colours): string {
  const ran = modes.filter(({ report }) => report.skipped === undefined)
  const missing = modes.filter(({ report }) => report.skipped !== undefined).map(({ mode }) => mode)
  const steps = ran.flatMap(({ report }) => report.steps)
  const { passed, failed } = tally(steps)
  const mark = ok ? colours.good('✔') : ran.length === 0 ? '–' : colours.bad('✖')
  const facts = [
    ran.length === 0
      ? 'not run in any mode'
      : `${count(passed, 'check')} passed in ${count(ran.length, 'mode')}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(missing.length === 0 || ran.length === 0 ? [] : [`not run in ${missing.join(', ')}`]),
    ...(ran.length === 0 ? [] : [formatDuration(Math.max(...ran.map(({ report }) => report.durationMs)))]),
    ...(ran.length === 0 ? [] : ['nothing left behind']),
  ]
  return `${mark} ${colours.bold(printable(lab))}: ${facts.join(', ')}`
}
