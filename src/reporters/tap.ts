import { stringify } from 'yaml'
import { count } from '../text/count.js'
import type { CheckResult, CreateReporter, LabEvent, LabResult, StepResult } from '../results/events.js'
import { describeFlow } from './hops.js'
import { createLabReports } from './labReports.js'
import { printable, printableLines } from '../text/printable.js'
import { createTurns } from './turns.js'
import { whyLines } from '../results/stepWhy.js'
import { labPassed, stepPassed } from '../results/verdict.js'

interface OpenLab {
  /** Test points written in the lab's subtest; its heading is written before the first. */
  points: number
}

/**
 * TAP version 14 (testanything.org): a subtest for each lab, in it one for each step, in it a test point for each
 * check. A failed test point is followed by the details as YAML.
 */
export const createTapReporter: CreateReporter = (options) => {
  const turns = createTurns(options.write)
  const reports = createLabReports()
  const open = new Map<string, OpenLab>()
  let labs = 0
  const errors: string[] = []
  options.write('TAP version 14\n')

  const stateOf = (lab: string): OpenLab => {
    const state = open.get(lab) ?? { points: 0 }
    open.set(lab, state)
    return state
  }

  const on = (event: LabEvent) => {
    reports.on(event)
    switch (event.type) {
      case 'lab-start':
        open.set(event.lab, { points: 0 })
        break
      case 'lab-skipped':
        turns.write(
          event.lab,
          () => `ok ${++labs} - ${description(event.lab)} # SKIP ${escape(printable(event.reason))}\n`,
        )
        turns.finish(event.lab)
        break
      case 'lab-error':
        errors.push(bailOut(event))
        open.delete(event.lab)
        break
      case 'notice': {
        const indent = stateOf(event.lab).points === 0 ? '' : '    '
        turns.write(event.lab, `${indent}# note: ${printable(printableLines(event.message).join(' '))}\n`)
        break
      }
      case 'lab-up':
      case 'step-start':
        break
      case 'step-end': {
        const state = stateOf(event.lab)
        if (state.points === 0) turns.write(event.lab, `# Subtest: ${description(event.lab)}\n`)
        state.points += 1
        turns.write(event.lab, indented(stepLines(event.result, state.points)))
        break
      }
      case 'lab-end': {
        const { points } = stateOf(event.lab)
        if (points > 0) turns.write(event.lab, `    1..${points}\n`)
        // The number is assigned when the line is written, because labs may end in another order than they are shown.
        turns.write(event.lab, () => labPoint(event.result, ++labs))
        turns.finish(event.lab)
        open.delete(event.lab)
      }
    }
  }

  const end = () => {
    turns.end()
    options.write(closingLine(labs, errors, [...open.keys()]))
  }
  return { on, end }
}

/** The last line: the plan, or why the run ended before all labs had. */
export function closingLine(
  points: number,
  errors: readonly string[],
  interrupted: readonly string[],
): string {
  const [first] = errors
  if (first !== undefined) return first
  const names = escape(interrupted.map(printable).join(', '))
  if (interrupted.length > 0) return `Bail out! ${count(interrupted.length, 'lab')} interrupted: ${names}\n`
  return `1..${points}${points === 0 ? ' # no lab ran' : ''}\n`
}

/** Why nothing more runs, in one line. */
export function bailOut({ lab, error }: LabEvent & { readonly type: 'lab-error' }): string {
  const text = printableLines(error).map((line) => line.trim())
  return `Bail out! ${escape(printable(`${lab}: ${text.join(' ')}`))}\n`
}

function labPoint(result: LabResult, number: number): string {
  const { kernel, iptables, backend, rootless } = result.machine
  const lines = point(labPassed(result), number, result.lab, {
    title: result.title,
    error: result.error,
    duration_ms: result.durationMs,
    machine: { kernel, iptables, backend, rootless },
  })
  return lines.map((line) => `${line}\n`).join('')
}

function stepLines(step: StepResult, number: number): string[] {
  if (step.skipped !== undefined)
    return [`ok ${number} - ${description(step.name)} # SKIP ${escape(printable(step.skipped))}`]
  const closing = point(stepPassed(step), number, step.name, {
    error: step.error,
    action: step.action,
    from: step.from,
    summary: step.summary,
    ...(step.why === undefined ? {} : Object.fromEntries(whyLines(step.why))),
    duration_ms: step.durationMs,
  })
  if (step.checks.length === 0) return closing
  const checks = step.checks.flatMap((check, index) => checkLines(check, index + 1, step))
  return [
    `# Subtest: ${description(step.name)}`,
    ...[...checks, `1..${step.checks.length}`].map((line) => `    ${line}`),
    ...closing,
  ]
}

function checkLines(check: CheckResult, number: number, step: StepResult): string[] {
  if (check.ok) return point(true, number, check.name, {})
  const flow = check.flow === undefined ? undefined : step.flows[check.flow]
  return point(false, number, check.name, {
    expected: check.expected,
    observed: check.observed,
    look: check.look,
    hops: flow === undefined ? undefined : describeFlow(flow),
  })
}

/** A test point with its details as a YAML block. */
function point(
  ok: boolean,
  number: number,
  name: string,
  details: Readonly<Record<string, unknown>>,
): string[] {
  const line = `${ok ? 'ok' : 'not ok'} ${number} - ${description(name)}`.trimEnd()
  const entries = Object.entries(details).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return [line]
  const yaml = stringify(Object.fromEntries(entries.map(([key, value]) => [key, safe(value)])), {
    lineWidth: 0,
    // Many TAP parsers support only YAML 1.1, where a bare `no` is false.
    compat: 'yaml-1.1',
  })
  return [
    line,
    '  ---',
    ...yaml
      .trimEnd()
      .split('\n')
      .map((each) => `  ${each}`),
    '  ...',
  ]
}

function safe(value: unknown): unknown {
  if (typeof value === 'string') return printableLines(value).join('\n')
  if (Array.isArray(value)) return value.map(safe)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, safe(each)]))
}

/** A name as a description: `#` starts a directive and, in some parsers, a `{` at the end starts a subtest. */
export function description(name: string): string {
  const text = printable(name).trim()
  return escape(text.endsWith('{') ? `"${text}"` : text)
}

export function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('#', '\\#')
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}\n`).join('')
}
