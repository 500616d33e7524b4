import type { StepResult } from '../../results/events.js'
import { runSteps } from '../steps/runSteps.js'
import type { RunningLab } from '../up/runningLab.js'
import type { Exercise } from './types.js'

/** Breaks a running lab with the faults of its exercise; one result per fault. */
export async function injectFaults(running: RunningLab, exercise: Exercise): Promise<readonly StepResult[]> {
  return carryOut(running, exercise, exercise.faults)
}

/** Evaluates the checks of an exercise, in their order; packets show which requests are lost and which are slow. */
export async function evaluateChecks(
  running: RunningLab,
  exercise: Exercise,
): Promise<readonly StepResult[]> {
  const steps = exercise.checks.map(({ step }) => step)
  return running.captured(() => carryOut(running, exercise, steps))
}

async function carryOut(
  running: RunningLab,
  { at }: Exercise,
  steps: Exercise['faults'],
): Promise<readonly StepResult[]> {
  const { prepared } = running
  return runSteps({ ...running, prepared: { ...prepared, lab: { ...prepared.lab, steps, at } } })
}
