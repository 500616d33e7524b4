import type { Colours } from '../text/colour.js'
import type { CheckResult, StepResult } from '../results/events.js'
import { pathKey, pathPhrase } from './path.js'
import { prettyFlow } from './prettyFlow.js'
import { printable, printableLines } from '../text/printable.js'
import { cut, textWidth, wrap } from '../text/textWidth.js'
import { whyLines } from '../results/stepWhy.js'
import { stepPassed } from '../results/verdict.js'

/** Paths of a repeated action that are shown one by one. */
const PATHS_SHOWN = 4

/** The room in a lab's output, and which paths it has shown in full. */
export interface Room {
  /** The lab keeps running: commands in it are printed too. */
  readonly kept?: boolean
  /** Lines that remain before the lab's output exceeds a screen. */
  lines: number
  /** Steps that have not ended; their names and checks have priority over another path. */
  stepsToCome: number
  readonly pathsSeen: Set<string>
  /** Whether a request that a proxy forwarded has been shown in full: the first always is, like the first path. */
  passedOnSeen?: boolean
}

/** Lines kept free for each step to come. */
const RESERVE = 3

/** A step as lines: its name and action, its checks, and as many of its flows as `room` allows. */
export function prettyStep(
  step: StepResult,
  index: number,
  width: number,
  colours: Colours,
  room: Room,
): string[] {
  if (step.skipped !== undefined) return skipped(step.name, step.skipped, index, width, colours, room)
  const passed = stepPassed(step)
  const failed = step.checks.filter((check) => !check.ok)
  const head = [...header(step, index, width, colours), ...summary(step, width)]
  const short = room.lines - step.checks.length < room.stepsToCome * RESERVE
  const verdicts = [
    ...passedLines(step.checks, width - 4, short, colours).map(indent(4)),
    ...failures(step, failed, width, colours, room.kept === true),
  ]
  const shownAlready = new Set(failed.flatMap((check) => (check.flow === undefined ? [] : [check.flow])))
  room.lines -= head.length + verdicts.length
  room.stepsToCome = Math.max(0, room.stepsToCome - 1)
  const flows = passed || shownAlready.size === 0 ? flowLines(step, width, colours, room) : []
  return [...head, ...flows, ...verdicts]
}

function skipped(
  name: string,
  reason: string,
  index: number,
  width: number,
  colours: Colours,
  room: Room,
): string[] {
  const words = `${printable(name)}: skipped, ${printable(reason)}`.split(' ')
  const lines = wrap(words, width - 6).map((line, row) => (row === 0 ? `- ${index + 1} ` : '    ') + line)
  room.lines -= lines.length
  room.stepsToCome = Math.max(0, room.stepsToCome - 1)
  return lines.map(colours.dim)
}

function header(step: StepResult, index: number, width: number, colours: Colours): string[] {
  const mark = stepPassed(step) ? colours.good('✔') : colours.bad('✖')
  const name = wrap(printable(step.name).split(' '), width - 6)
  const title = name.map((line, row) => (row === 0 ? `${mark} ${index + 1} ` : '    ') + colours.bold(line))
  if (step.action === '') return title
  const prompt = step.from === undefined ? '$ ' : `${printable(step.from)}$ `
  const action = prompt + printable(step.action)
  const [first = '', ...rest] = title
  const space = width - textWidth(first) - textWidth(action)
  if (rest.length === 0 && space >= 2) return [first + ' '.repeat(space) + colours.dim(action)]
  return [...title, `    ${colours.dim(cutCommand(action, width - 4))}`]
}

/** An action in `width` columns; the number of its requests stays. */
function cutCommand(action: string, width: number): string {
  const times = / {2}× \d+$/.exec(action)?.[0] ?? ''
  return cut(action.slice(0, action.length - times.length), width - textWidth(times)) + times
}

/** The summary of a step is never shortened: nothing else reports what happened during other steps. */
function summary(step: StepResult, width: number): string[] {
  return (step.summary ?? []).flatMap((line) =>
    wrap(printable(line).split(' '), width - 6, ' ', '  ').map(indent(6)),
  )
}

/**
 * Passed checks share lines. A name longer than a line is wrapped; if `short`, it is cut, and of the checks after the
 * third line only the number is shown.
 */
function passedLines(
  checks: readonly CheckResult[],
  width: number,
  short: boolean,
  colours: Colours,
): string[] {
  const mark = colours.good('✔')
  const names = checks.filter((check) => check.ok).map((check) => printable(check.name))
  const linesOf = (some: readonly string[]) =>
    wrap(
      some.map((name) => `${mark} ${short ? cut(name, width - 2) : name}`),
      width,
      '  ',
    )
  if (!short) {
    const fold = (line: string) =>
      textWidth(line) <= width ? [line] : wrap(line.split(' '), width, ' ', '  ')
    return linesOf(names).flatMap(fold)
  }
  let shown = names.length
  while (shown > 1 && linesOf(names.slice(0, shown)).length > (shown < names.length ? 2 : 3)) shown -= 1
  const more = names.length - shown
  return [...linesOf(names.slice(0, shown)), ...(more > 0 ? [`${mark} and ${more} more`] : [])]
}

function failures(
  step: StepResult,
  failed: readonly CheckResult[],
  width: number,
  colours: Colours,
  kept: boolean,
): string[] {
  const { why } = step
  const lines: string[] = []
  let flowShown: number | undefined
  for (const check of failed) {
    const name = wrap(`✖ ${printable(check.name)}`.split(' '), width - 4, ' ', '  ')
    lines.push(...name.map((line) => `    ${colours.bad(line)}`))
    lines.push(...labelled('expected', check.expected, width, colours))
    lines.push(...labelled('observed', check.observed, width, colours))
    const flow = check.flow === undefined ? undefined : step.flows[check.flow]
    if (flow !== undefined && check.flow !== flowShown) {
      lines.push(...prettyFlow(flow, width - 6, colours).map(indent(6)))
      flowShown = check.flow
    }
    // the lab is removed: its commands do not work any more
    if (check.look !== undefined && (kept || why === undefined))
      lines.push(...labelled('look', check.look, width, colours))
  }
  if (why !== undefined) {
    lines.push(...whyLines(why).flatMap(([label, text]) => labelled(label, text, width, colours)))
    if (kept && why.command !== undefined) lines.push(...labelled('', why.command, width, colours))
  }
  if (step.error !== undefined) lines.push(...labelled('error', step.error, width, colours))
  return lines
}

function labelled(label: string, text: string, width: number, colours: Colours): string[] {
  const whole = printableLines(text)
  // A command is meant to be copied: it is not wrapped.
  const lines =
    label === 'look' || label === '' ? whole : whole.flatMap((line) => wrap(line.split(' '), width - 16))
  const paint = label === 'error' ? colours.bad : (line: string) => line
  return lines.map(
    (line, index) => `      ${colours.dim((index === 0 ? label : '').padEnd(10))}${paint(line)}`,
  )
}

/** A flow whose path is new in this lab is shown in full while there is room, otherwise as its path alone. */
function flowLines(step: StepResult, width: number, colours: Colours, room: Room): string[] {
  const shown: string[] = []
  const keys = new Set<string>()
  const distinct = step.flows.filter((flow) => !keys.has(pathKey(flow)) && keys.add(pathKey(flow)))
  const add = (lines: readonly string[], always = false) => {
    if (!always && room.lines - lines.length < room.stepsToCome * RESERVE) return false
    room.lines -= lines.length
    shown.push(...lines.map(indent(6)))
    return true
  }
  const single = step.flowCount === distinct.length
  for (const flow of distinct.slice(0, PATHS_SHOWN)) {
    const key = pathKey(flow)
    const isNew = single && flow.hops.length > 2 && !room.pathsSeen.has(key)
    const isPassedOn = (flow.passedOn ?? []).length > 0
    const isFirst = room.pathsSeen.size === 0 || (isPassedOn && room.passedOnSeen !== true)
    if (isNew && add(prettyFlow(flow, width - 6, colours), isFirst)) {
      room.pathsSeen.add(key)
      if (isPassedOn) room.passedOnSeen = true
    } else add(wrap(pathPhrase(flow), width - 6, ' ', '  '))
  }
  if (shown.length > 0 && step.flowCount > distinct.length) {
    const more = distinct.length > PATHS_SHOWN ? `, ${distinct.length - PATHS_SHOWN} more paths` : ''
    add([colours.dim(`${step.flowCount} flows in all${more}`)])
  }
  return shown
}

function indent(columns: number): (line: string) => string {
  return (line) => ' '.repeat(columns) + line
}
