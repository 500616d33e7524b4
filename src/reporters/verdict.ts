import type { StepResult } from './events.js'
import type { LabReport } from './labReports.js'

/** How many checks passed and failed; a step that could not be carried out counts as one failed check. */
export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** True when a step was carried out and each of its checks held. */
export function stepPassed(step: StepResult): boolean {
  return step.ok && step.error === undefined && step.checks.every((check) => check.ok)
}

/** True when a lab came up, ended as planned and each of its steps passed. */
export function labPassed(report: LabReport): boolean {
  return report.ok && report.error === undefined && report.steps.every(stepPassed)
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
    if (!stepPassed(step) && good === step.checks.length) failed += 1
  }
  return { passed, failed }
}
