import type { LabEvent, LabResult } from '../../results/events.js'
import { prepareLab } from '../plan/prepareLab.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import type { StartOptions } from '../up/startOptions.js'
import { runPrepared } from './runPrepared.js'

export interface RunOptions extends StartOptions, PrepareOptions {
  readonly onEvent?: ((event: LabEvent) => void) | undefined
  /** Awaited before each step: `--step` waits for Enter there. */
  readonly beforeStep?: ((step: string) => Promise<void>) | undefined
}

/**
 * Builds a lab, runs and evaluates its steps, and removes everything. A step that fails does not stop the ones after it.
 * Throws InputError for invalid input and CannotRunError when the host cannot run the lab; nothing is left behind.
 */
export async function runLab(nameOrPath: string, options: RunOptions = {}): Promise<LabResult> {
  return runPrepared(prepareLab(nameOrPath, options), options)
}
