import type { Loads } from '../loads/loads.js'
import type { ResolvedStep, StepContext } from '../names/resolveStep.js'
import type { RunningLab } from '../up/runningLab.js'
import type { Step } from '../types.js'

/** What running a step needs. */
export interface StepRun {
  readonly running: RunningLab
  readonly loads: Loads
  /** The step as written: its names are resolved when it runs. */
  readonly written: Step
  readonly next: Step | undefined
  /** Whether `why` explains a request that fails. */
  readonly explains: boolean
  /** Whether captures continue after the last step. */
  readonly keepCaptures: boolean
}

/** A step that is about to run: its action is resolved, its expectations are not yet. */
export interface BegunStep extends StepRun {
  readonly step: ResolvedStep
  readonly startedAt: number
}

/** Where names are looked up now. */
export function contextNow({ prepared, live }: RunningLab): StepContext {
  return { lab: prepared.lab, names: live.state().names, ignoreKinds: prepared.ignoreKinds }
}
