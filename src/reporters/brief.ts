import { createColours, type Colours } from '../text/colour.js'
import { count } from '../text/count.js'
import { formatDuration } from '../text/duration.js'
import type { CreateReporter, LabEvent, LabResult } from '../results/events.js'
import { createLabReports } from './labReports.js'
import { createPrettyReporter } from './pretty.js'
import { printable } from '../text/printable.js'
import { pad } from '../text/textWidth.js'
import { labFailed, labPassed, tally } from '../results/verdict.js'

/** Columns for names; a longer name pushes its line to the right. */
const nameWidth = 26

/** For many labs: one line for each lab that passed, the full output of `pretty` for the others. */
export const createBriefReporter: CreateReporter = (options) => {
  const colours = createColours(options.colour)
  const reports = createLabReports()
  const running = new Map<string, LabEvent[]>()

  const inFull = (events: readonly LabEvent[]) => {
    const pretty = createPrettyReporter(options)
    options.write('\n')
    for (const event of events) pretty.on(event)
    pretty.end()
    options.write('\n')
  }

  return {
    on(event) {
      // the error is printed elsewhere
      if (event.type === 'lab-error') return
      reports.on(event)
      if (event.type === 'lab-skipped') {
        options.write(`${colours.dim(`- ${name(event.lab)}  skipped: ${printable(event.reason)}`)}\n`)
        return
      }
      const events = [...(running.get(event.lab) ?? []), event]
      running.set(event.lab, events)
      if (event.type !== 'lab-end') return
      running.delete(event.lab)
      if (labPassed(event.result)) options.write(`${lineOf(event.result, colours)}\n`)
      else inFull(events)
    },
    end() {
      for (const events of running.values()) inFull(events)
      const labs = reports.all()
      // no lab had started when the run ended: the error is printed elsewhere
      if (labs.length === 0) return
      const failed = labs.filter(labFailed).map(({ lab }) => printable(lab))
      const skipped = labs.filter((report) => report.skipped !== undefined).length
      const parts = [
        `${labs.filter(labPassed).length} of ${count(labs.length, 'lab')} passed`,
        ...(skipped === 0 ? [] : [`${skipped} skipped`]),
        ...(failed.length === 0 ? [] : [colours.bad(`failed: ${failed.join(', ')}`)]),
      ]
      options.write(`\n${parts.join(', ')}\n`)
    },
  }
}

function lineOf({ lab, title, steps, durationMs, checksSkipped }: LabResult, colours: Colours): string {
  const checks = count(tally(steps).passed, 'check').padStart(10)
  const facts = `${checks}  ${formatDuration(durationMs).padStart(7)}`
  const skipped = steps.filter((step) => step.skipped !== undefined).length
  const notRun = [
    ...(checksSkipped === undefined ? [] : [count(checksSkipped, 'check')]),
    ...(skipped === 0 ? [] : [count(skipped, 'step')]),
  ]
  const note = notRun.length === 0 ? '' : ` (${notRun.join(' and ')} not run)`
  return `${colours.good('✔')} ${colours.bold(name(lab))}  ${facts}  ${colours.dim(printable(title) + note)}`
}

function name(lab: string): string {
  return pad(printable(lab), nameWidth)
}
