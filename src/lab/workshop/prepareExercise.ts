import { createForesight } from '../changes/foresee.js'
import { prepareLab, type PreparedLab, type PrepareOptions } from '../plan/prepareLab.js'
import { resolveLab } from '../names/resolveLab.js'
import type { Exercise } from './types.js'

/**
 * The lab of an exercise, thought through. Throws InputError for whatever is wrong in it, and for names in faults and
 * checks that mean nothing: such a check would fail whatever a participant does.
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
