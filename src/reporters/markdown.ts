import { count } from '../text/count.js'
import { formatDuration } from '../text/duration.js'
import type { CreateReporter, LabReport } from '../results/events.js'
import { createLabReports } from './labReports.js'
import { printable } from '../text/printable.js'
import { whyLines } from '../results/stepWhy.js'
import { labFailed, labPassed, stepFailed, tally } from '../results/verdict.js'

/** A summary for a pull request, in GitHub's Markdown: a row for each lab, then what failed, with expected and observed. */
export const createMarkdownReporter: CreateReporter = (options) => {
  const reports = createLabReports()
  return {
    on: (event) => {
      reports.on(event)
    },
    end: () => {
      const labs = reports.all()
      const failed = labs.filter(labFailed)
      const skipped = labs.filter((report) => report.skipped !== undefined)
      const parts = [
        `${labs.filter(labPassed).length} of ${count(labs.length, 'lab')} passed`,
        ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
        ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
      ]
      const lines = [
        `## vethlab: ${parts.join(', ')}`,
        '',
        '| | lab | checks | time | |',
        '| --- | --- | ---: | ---: | --- |',
        ...labs.map(row),
        ...failed.flatMap(details),
      ]
      options.write(`${lines.join('\n')}\n`)
    },
  }
}

function row(report: LabReport): string {
  const { passed, failed } = tally(report.steps)
  const [mark, note] =
    report.skipped !== undefined
      ? ['➖', `skipped: ${report.skipped}`]
      : labPassed(report)
        ? ['✅', '']
        : ['❌', report.error ?? '']
  const checks = failed === 0 ? `${passed}` : `${passed} of ${passed + failed}`
  const cells = [
    mark,
    escaped(report.lab),
    checks,
    formatDuration(report.durationMs),
    escaped(firstLine(note)),
  ]
  return `| ${cells.join(' | ')} |`
}

function details(report: LabReport): string[] {
  const failures = report.steps
    .filter(stepFailed)
    .flatMap((step) => [
      `- ${escaped(step.name)}${step.error === undefined ? '' : `: ${escaped(step.error)}`}`,
      ...step.checks
        .filter(({ ok }) => !ok)
        .map(
          ({ name, expected, observed }) =>
            `  - ${escaped(name)}: expected ${escaped(expected)}, observed ${escaped(observed)}`,
        ),
      ...(step.why === undefined
        ? []
        : whyLines(step.why).map(([label, text]) => `  - ${label}: ${escaped(text)}`)),
    ])
  const error =
    report.error === undefined ? [] : [`- ${report.error.trim().split('\n').map(escaped).join('<br>')}`]
  return ['', `### ${escaped(report.lab)}`, '', ...error, ...failures]
}

function firstLine(lines: string): string {
  return lines.split('\n', 1)[0] ?? ''
}

/** Text escaped for Markdown and HTML. */
function escaped(raw: string): string {
  return printable(raw)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
}
