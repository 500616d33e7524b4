import { listExercises } from '../lab/workshop/findExercise.js'
import { loadExercise } from '../lab/workshop/loadExercise.js'
import type { Progress } from '../lab/workshop/progress.js'
import type { Exercise } from '../lab/workshop/types.js'

/** All exercises, by level and name. Throws InputError if one does not load. */
export function allExercises(): Exercise[] {
  return listExercises()
    .map((directory) => loadExercise(directory))
    .sort((a, b) => a.level - b.level || a.name.localeCompare(b.name))
}

/**
 * The exercise to solve next: an unsolved one of the same level as the last one, then of a higher level, then any. Without a
 * last one, the first unsolved one.
 */
export function nextExercise(
  { exercises }: Progress,
  last?: Pick<Exercise, 'name' | 'level'>,
): Exercise | undefined {
  const unsolved = allExercises().filter(({ name }) => exercises[name]?.passedAt === undefined)
  if (last === undefined) return unsolved[0]
  const ofLevel = unsolved.filter(({ level }) => level === last.level)
  return (
    ofLevel.find(({ name }) => name.localeCompare(last.name) > 0) ??
    ofLevel[0] ??
    unsolved.find(({ level }) => level > last.level) ??
    unsolved[0]
  )
}
