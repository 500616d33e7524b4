import type { StepResult, LabReport } from './events.js'

/** How many checks passed and failed; a step that could not be run counts as one failed check. */
export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** True when a step was run and each of its checks passed. */
export function stepPassed(step: StepResult): boolean {
  return (
    step.skipped === undefined &&
    step.ok &&
    step.error === undefined &&
    step.checks.every((check) => check.ok)
  )
}

/** True when a step was not skipped and did not pass. */
export function stepFailed(step: StepResult): boolean {
  return step.skipped === undefined && !stepPassed(step)
}

/** True when a lab started, ended without an error, and each step that was not skipped passed. */
export function labPassed(report: LabReport): boolean {
  return report.ok && report.error === undefined && !report.steps.some(stepFailed)
}

/** True when a lab was not skipped and did not pass. */
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
