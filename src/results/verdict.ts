import type { StepResult, LabReport } from './events.js'

/** How many checks passed and failed; a step that could not be carried out counts as one failed check. */
export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** True when a step was carried out and each of its checks held. */
export function stepPassed(step: StepResult): boolean {
  return (
    step.skipped === undefined &&
    step.ok &&
    step.error === undefined &&
    step.checks.every((check) => check.ok)
  )
}

/** True when a step was carried out, or should have been, and did not pass. */
export function stepFailed(step: StepResult): boolean {
  return step.skipped === undefined && !stepPassed(step)
}

/** True when a lab came up, ended as planned and each of its steps that was carried out passed. */
export function labPassed(report: LabReport): boolean {
  return report.ok && report.error === undefined && !report.steps.some(stepFailed)
}

/** True when a lab was run and did not pass. */
export function labFailed(report: LabReport): boolean {
  return report.skipped === undefined && !labPassed(report)
}

/** Counts the checks of some steps. */
export function tally(steps: readonly StepResult[]): Tally {
  let passed = 0
  let failed = 0
  for (const step of steps) {
    const good = step.checks.filter((check) => check.ok).length
    passed += good
    failed += step.checks.length - good
    if (stepFailed(step) && good === step.checks.length) failed += 1
  }
  return { passed, failed }
}
