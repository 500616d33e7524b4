import { count } from '../text/count.js'
import { createColours, type Colours } from '../text/colour.js'
import { formatDuration } from '../text/duration.js'
import { defaultConfiguration } from '../agents/kubeProxy/configDefaults.js'
import type { CreateReporter, LabEvent, LabResult, LabReport, ReporterOptions } from '../results/events.js'
import { createLabReports } from './labReports.js'
import { drawPicture } from './picture.js'
import { prettyStep, type Room } from './prettyStep.js'
import { printable, printableLines } from '../text/printable.js'
import { formatTable } from '../text/table.js'
import { textWidth, wrap } from '../text/textWidth.js'
import { createTurns } from './turns.js'
import { labPassed, tally } from '../results/verdict.js'

/** Maximum lines of output for one lab, so that a tall terminal shows all of it. */
const SCREEN = 57
/** Assumed number of steps of a lab that does not report it. */
const USUAL_STEPS = 6
/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDEST = 110
const NARROWEST = 40

/** For a terminal: a picture of the lab, each step with its checks, and the paths of packets hop by hop. */
export const createPrettyReporter: CreateReporter = (options) => {
  const colours = createColours(options.colour)
  const width = Math.max(NARROWEST, Math.min(options.width, WIDEST))
  const turns = createTurns(options.write)
  const reports = createLabReports()
  const rooms = new Map<string, Room>()
  let printed = false

  const write = (lab: string, lines: readonly string[]) => {
    if (lines.length > 0) turns.write(lab, lines.map((line) => `${line}\n`).join(''))
  }
  const separate = () => {
    const gap = printed ? '\n' : ''
    printed = true
    return gap
  }
  /** Writes lines that do not belong to a step and subtracts them from the lab's room. */
  const writeCounted = (lab: string, lines: readonly string[]) => {
    const room = rooms.get(lab)
    if (room !== undefined) room.lines -= lines.length
    write(lab, lines)
  }

  const on = (event: LabEvent) => {
    // the error is printed elsewhere
    if (event.type === 'lab-error') return
    reports.on(event)
    switch (event.type) {
      case 'lab-start':
        rooms.set(event.lab, roomFor(event.steps, options))
        turns.write(event.lab, separate)
        writeCounted(event.lab, opening(event.lab, event.title, event.summary, width, colours))
        break
      case 'lab-skipped':
        turns.write(event.lab, separate)
        turns.write(event.lab, `${colours.dim(`- ${event.lab}: skipped: ${printable(event.reason)}`)}\n`)
        turns.finish(event.lab)
        break
      case 'notice':
        writeCounted(event.lab, notice(event.message, width, colours))
        break
      case 'lab-up':
        writeCounted(event.lab, ['', ...drawPicture(event.topology, width, colours, options.language), ''])
        break
      case 'step-start':
        break
      case 'step-end': {
        const room = rooms.get(event.lab) ?? roomFor(undefined, options)
        write(event.lab, prettyStep(event.result, event.index, width, colours, room))
        break
      }
      case 'lab-end':
        write(event.lab, closing(event.result, width, colours))
        turns.finish(event.lab)
    }
  }

  const end = () => {
    turns.end()
    const labs = reports.all()
    for (const report of labs) {
      if (report.error !== undefined && report.machine === undefined) {
        options.write(`${colours.bad(`✖ ${printable(report.lab)}: ${report.error}`)}\n`)
      }
    }
    if (labs.length > 1) options.write(`\n${comparison(labs, colours)}`)
  }
  return { on, end }
}

function roomFor(
  steps: number | undefined,
  { verbose = false, kept = false }: Pick<ReporterOptions, 'verbose' | 'kept'>,
): Room {
  // The last three lines are for the verdict.
  const lines = verbose ? Infinity : SCREEN - 3
  return { kept, lines, stepsToCome: steps ?? USUAL_STEPS, pathsSeen: new Set() }
}

function opening(
  lab: string,
  title: string,
  summary: string | undefined,
  width: number,
  colours: Colours,
): string[] {
  const name = colours.bold(printable(lab))
  const heading = title === '' ? name : `${name}  ${printable(title)}`
  const text = printableLines(summary ?? '')
    .join(' ')
    .trim()
  const words = text === '' ? [] : text.split(/ +/)
  return [heading, ...wrap(words, width - 2).map((line) => `  ${colours.dim(line)}`)]
}

function notice(message: string, width: number, colours: Colours): string[] {
  const words = printableLines(message).join(' ').split(/ +/)
  return wrap(['note:', ...words], width - 2, ' ', '  ').map((line) => colours.dim(`  ${line}`))
}

function closing(result: LabResult, width: number, colours: Colours): string[] {
  const { passed, failed } = tally(result.steps)
  const ok = labPassed(result)
  const error =
    result.error === undefined ? [] : printableLines(result.error).map((line) => `  ${colours.bad(line)}`)
  const mark = ok ? colours.good('✔') : colours.bad('✖')
  const counts = [
    ...(failed > 0 ? [colours.bad(`${count(failed, 'check')} failed`)] : []),
    ...(passed > 0 || ok ? [failed > 0 ? `${passed} passed` : `${count(passed, 'check')} passed`] : []),
    ...(result.error === undefined ? [] : [colours.bad(howItEnded(result))]),
  ]
  const after =
    result.kept === true ? 'left running' : result.error === undefined ? 'nothing left behind' : undefined
  const facts = [
    counts.join(', '),
    formatDuration(result.durationMs),
    ...(after === undefined ? [] : [after]),
  ]
  const line = `${mark} ${colours.bold(printable(result.lab))}: ${facts.join(', ')}`
  if (result.machine.kernel === '') return [...error, '', line]
  const machine = printable(machineLine(result))
  const space = width - textWidth(line) - textWidth(machine)
  const last =
    space >= 2 ? [line + ' '.repeat(space) + colours.dim(machine)] : [line, `  ${colours.dim(machine)}`]
  return [...error, '', ...last]
}

/** Reports show the mode only if it is another one. */
const usualMode = defaultConfiguration.mode

function machineLine({ machine, mode = usualMode }: LabResult): string {
  const modePart = mode === usualMode ? '' : `mode ${mode}, `
  return `${modePart}Linux ${machine.kernel}, iptables-${machine.backend}${machine.rootless ? ', rootless' : ''}`
}

/** Labs that ran side by side, a line each. */
function comparison(labs: readonly LabReport[], colours: Colours): string {
  const rows = labs.map((report) => {
    const { passed, failed } = tally(report.steps)
    const failures = failed === 0 ? '' : `${failed} failed`
    const problems =
      report.error === undefined ? failures : [failures, 'error'].filter((part) => part !== '').join(', ')
    return [
      labPassed(report) ? '✔' : report.skipped === undefined ? '✖' : '-',
      report.lab,
      report.skipped === undefined ? `${passed} passed` : 'skipped',
      problems,
      formatDuration(report.durationMs),
    ]
  })
  const paint = (line: string) =>
    (line.startsWith('✔') ? colours.good : line.startsWith('✖') ? colours.bad : colours.dim)(
      line.slice(0, 1),
    ) + line.slice(1)
  const passedLabs = labs.filter(labPassed).length
  const table = formatTable(rows, { right: [2, 3, 4] })
  const lines = table.split('\n').slice(0, -1).map(paint)
  return [...lines, `${passedLabs} of ${labs.length} labs passed`].map((line) => `${line}\n`).join('')
}

function howItEnded({ steps, machine }: LabResult): string {
  if (steps.length > 0) return 'ended early'
  // `vethlab ci` received no result
  return machine.kernel === '' ? 'no result' : 'did not start'
}
