import * as z from 'zod'
import type { LabResult } from '../../results/events.js'
import { callback, checkArguments, nonEmpty } from '../../text/checkArguments.js'
import { startShape } from '../argumentShapes.js'
import { prepareLab } from '../plan/prepareLab.js'
import type { RunOptions } from './runOptions.js'
import { runPrepared } from './runPrepared.js'

const shape = {
  nameOrPath: nonEmpty,
  options: z.strictObject({
    ...startShape,
    onEvent: callback.optional(),
    beforeStep: callback.optional(),
  }),
}

/**
 * Builds a lab, runs and evaluates its steps, and removes everything. A step that fails does not stop the ones after it.
 * Throws InputError for invalid input and CannotRunError when the host cannot run the lab; nothing is left behind.
 */
export async function runLab(nameOrPath: string, options: RunOptions = {}): Promise<LabResult> {
  checkArguments('runLab', shape, { nameOrPath, options })
  return runPrepared(prepareLab(nameOrPath, options), options)
}
