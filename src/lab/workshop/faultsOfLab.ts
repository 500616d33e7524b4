import { exists } from '../../host/paths.js'
import { join } from 'node:path'
import { findLab, type FindOptions } from '../file/findLab.js'
import { InputError } from '../../errors.js'
import { exerciseFileName, findExercise } from './findExercise.js'
import { loadExercise } from './loadExercise.js'

/** A step that breaks the lab of an exercise, as written. */
export interface LabFault {
  readonly name: string
  /** Undefined for a fault that is no command. */
  readonly command: { readonly place: string; readonly argv: readonly string[] } | undefined
}

/** The folder of a lab or an exercise, by name or path, and the faults of the exercise. Throws InputError. */
export function faultsOfLab(
  nameOrPath: string,
  options: FindOptions = {},
): { readonly folder: string; readonly faults: readonly LabFault[] } {
  const folder = labOrExercise(nameOrPath, options)
  if (!exists(join(folder, exerciseFileName))) return { folder, faults: [] }
  const faults = loadExercise(folder, options).faults.map(({ name, from, action }): LabFault => {
    const isCommand = action.kind === 'command' && from !== undefined
    return { name, command: isCommand ? { place: from, argv: action.argv } : undefined }
  })
  return { folder, faults }
}

/** The folder of a lab, or else of an exercise, by name or path. Throws InputError. */
export function labOrExercise(nameOrPath: string, options: FindOptions = {}): string {
  try {
    return findLab(nameOrPath, options)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    try {
      return findExercise(nameOrPath, options)
    } catch {
      throw error
    }
  }
}
