import type { Loads } from '../loads/loads.js'
import type { ResolvedStep, StepContext } from '../names/resolveStep.js'
import type { RunningLab } from '../up/runningLab.js'
import type { Step } from '../types.js'

/** What it takes to carry a step out. */
export interface StepRun {
  readonly running: RunningLab
  readonly loads: Loads
  /** The step as it is written: its names mean what they mean now. */
  readonly written: Step
  readonly next: Step | undefined
  /** Whether captures have to go on when no step comes after this one. */
  readonly goesOn: boolean
}

/** A step that is about to act: its action resolved, its expectations not yet. */
export interface BegunStep extends StepRun {
  readonly step: ResolvedStep
  readonly startedAt: number
}

/** What names are looked up in at this moment. */
export function contextNow({ prepared, live }: RunningLab): StepContext {
  return { lab: prepared.lab, names: live.state().names, ignoreKinds: prepared.ignoreKinds }
}
