import type { StepResult } from '../../results/events.js'
import { runSteps } from '../steps/runSteps.js'
import type { StartedLab } from '../up/startedLab.js'
import type { Exercise } from './types.js'

/** Breaks a running lab with the faults of its exercise; one result per fault. */
export async function injectFaults(started: StartedLab, exercise: Exercise): Promise<readonly StepResult[]> {
  return carryOut(started, exercise, exercise.faults)
}

/** Evaluates the checks of an exercise, in their order; packets show which requests are lost and which are slow. */
export async function judgeChecks(started: StartedLab, exercise: Exercise): Promise<readonly StepResult[]> {
  const steps = exercise.checks.map(({ step }) => step)
  return started.captured(() => carryOut(started, exercise, steps))
}

async function carryOut(
  started: StartedLab,
  { at }: Exercise,
  steps: Exercise['faults'],
): Promise<readonly StepResult[]> {
  const { prepared } = started
  return runSteps({ ...started, prepared: { ...prepared, lab: { ...prepared.lab, steps, at } } })
}
