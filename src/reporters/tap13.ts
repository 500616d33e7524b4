import type { CheckResult, CreateReporter, LabEvent, LabReport, StepResult } from '../results/events.js'
import { printableLines } from '../text/printable.js'
import { whyLines } from '../results/stepWhy.js'
import { labFailed, stepFailed, stepPassed } from '../results/verdict.js'
import { describeFlow } from './hops.js'
import { bailOut, closingLine, description, escape } from './tap.js'
import { createTurns } from './turns.js'

/**
 * TAP version 13, for `prove` and other readers without subtests: a test point for each check, named lab, step, check.
 * Details of a failed check are comments. Numbers are assigned when a lab's points are written, because labs that run at
 * once end in any order.
 */
export const createTap13Reporter: CreateReporter = (options) => {
  const turns = createTurns(options.write)
  const open = new Set<string>()
  const errors: string[] = []
  let points = 0
  options.write('TAP version 13\n')

  const point = (lab: string, ok: boolean, name: readonly string[], details: readonly string[] = []) => {
    const comments = details.flatMap(printableLines).map((line) => `# ${line}\n`)
    turns.write(lab, () => `${ok ? 'ok' : 'not ok'} ${++points} - ${joined(name)}\n${comments.join('')}`)
  }
  const skip = (lab: string, name: readonly string[], reason: string) =>
    turns.write(lab, () => `ok ${++points} - ${joined(name)} # SKIP ${escape(oneLine(reason))}\n`)

  const step = (lab: string, result: StepResult) => {
    if (result.skipped !== undefined) return skip(lab, [lab, result.name], result.skipped)
    for (const check of result.checks)
      point(lab, check.ok, [lab, result.name, check.name], check.ok ? [] : detailsOf(check, result))
    const explained = result.checks.some(({ ok }) => !ok)
    if (result.checks.length === 0 || (!stepPassed(result) && !explained))
      point(lab, stepPassed(result), [lab, result.name, 'completes'], [result.error ?? ''])
  }

  const on = (event: LabEvent) => {
    switch (event.type) {
      case 'lab-start':
        open.add(event.lab)
        break
      case 'lab-skipped':
        skip(event.lab, [event.lab], event.reason)
        turns.finish(event.lab)
        break
      case 'lab-error':
        errors.push(bailOut(event))
        open.delete(event.lab)
        break
      case 'notice':
        turns.write(event.lab, `# note: ${oneLine(event.message)}\n`)
        break
      case 'lab-up':
      case 'step-start':
        break
      case 'step-end':
        step(event.lab, event.result)
        break
      case 'lab-end':
        lab(event.result)
        turns.finish(event.lab)
        open.delete(event.lab)
    }
  }

  const lab = (report: LabReport) => {
    const { lab: name, error, steps } = report
    if (error !== undefined || (labFailed(report) && !steps.some(stepFailed)))
      point(name, false, [name, steps.length === 0 ? 'starts' : 'completes'], [error ?? ''])
    else if (steps.length === 0) point(name, true, [name])
  }

  const end = () => {
    turns.end()
    options.write(closingLine(points, errors, [...open]))
  }
  return { on, end }
}

function detailsOf(check: CheckResult, step: StepResult): string[] {
  const flow = check.flow === undefined ? undefined : step.flows[check.flow]
  return [
    `expected: ${check.expected}`,
    `observed: ${check.observed}`,
    ...(flow === undefined ? [] : ['hops:', ...describeFlow(flow).map((line) => `  ${line}`)]),
    ...(step.why === undefined ? [] : whyLines(step.why).map((line) => line.join(': '))),
    ...(check.look === undefined ? [] : [`look: ${check.look}`]),
  ]
}

function joined(names: readonly string[]): string {
  return description(names.join(': ')).trimEnd()
}

function oneLine(text: string): string {
  return printableLines(text).join(' ')
}
