import type { LabResult } from '../../results/events.js'
import { prepareLab } from '../plan/prepareLab.js'
import type { RunOptions } from './runOptions.js'
import { runPrepared } from './runPrepared.js'

/**
 * Builds a lab, runs and evaluates its steps, and removes everything. A step that fails does not stop the ones after it.
 * Throws InputError for invalid input and CannotRunError when the host cannot run the lab; nothing is left behind.
 */
export async function runLab(nameOrPath: string, options: RunOptions = {}): Promise<LabResult> {
  return runPrepared(prepareLab(nameOrPath, options), options)
}
