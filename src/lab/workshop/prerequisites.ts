import { basename } from 'node:path'
import { InputError } from '../../errors.js'
import { didYouMean } from '../../text/nearestName.js'
import type { FindOptions } from '../file/findLab.js'
import type { YamlFile } from '../file/readYaml.js'
import { listExercises } from './findExercise.js'
import type { ExerciseFile } from './schema.js'

/** Throws InputError for prerequisites that are not exercises, or that are the exercise itself. */
export function refuseUnknownPrerequisites(
  { prerequisites = [] }: Pick<ExerciseFile, 'prerequisites'>,
  name: string,
  { at }: YamlFile,
  options: FindOptions,
): void {
  if (prerequisites.length === 0) return
  const known = listExercises(options).map((folder) => basename(folder))
  const problems = prerequisites.flatMap((prerequisite, index) => {
    if (known.includes(prerequisite) && prerequisite !== name) return []
    const position = at(['prerequisites', index])
    if (prerequisite === name) return [{ message: 'an exercise is not its own prerequisite', at: position }]
    const hint = didYouMean(prerequisite, known)
    return [{ message: `there is no exercise "${prerequisite}"`, at: position, hint }]
  })
  if (problems.length > 0) throw new InputError(problems)
}
