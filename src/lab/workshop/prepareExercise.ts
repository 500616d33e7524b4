import { createForesight } from '../changes/foresee.js'
import { prepareLab, type PreparedLab } from '../plan/prepareLab.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import { resolveLab } from '../names/resolveLab.js'
import type { Exercise } from './types.js'

/**
 * Prepares the lab of an exercise. Throws InputError for its problems, and for unknown names in faults and checks: such a
 * check would always fail.
 */
export function prepareExercise(
  { directory, faults, checks, at }: Exercise,
  options: PrepareOptions = {},
): PreparedLab {
  const prepared = prepareLab(directory, options)
  const { names, clusterOptions, lab } = prepared
  const steps = [...faults, ...checks.map(({ step }) => step)]
  resolveLab({ ...lab, steps, at }, names, { foresee: createForesight(prepared, clusterOptions) })
  return prepared
}
