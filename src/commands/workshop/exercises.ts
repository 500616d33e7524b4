import { listExercises } from '../../lab/workshop/findExercise.js'
import { loadExercise } from '../../lab/workshop/loadExercise.js'
import type { Progress } from '../../lab/workshop/progress.js'
import type { Exercise } from '../../lab/workshop/types.js'

/** All exercises, the easy ones first. Throws InputError for one that does not load. */
export function allExercises(): Exercise[] {
  return listExercises()
    .map((directory) => loadExercise(directory))
    .sort((a, b) => a.level - b.level || a.name.localeCompare(b.name))
}

/** The first that is not solved yet. */
export function nextExercise({ exercises }: Progress): Exercise | undefined {
  return allExercises().find(({ name }) => exercises[name]?.passedAt === undefined)
}
