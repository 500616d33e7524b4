import { basename, join, resolve } from 'node:path'
import { didYouMean } from '../../text/nearestName.js'
import { InputError } from '../../errors.js'
import { exists, isFolder, namesIn } from '../../host/paths.js'
import { exercisesFolder, labFolders, type FindOptions } from '../file/findLab.js'

/** The file that makes a folder an exercise. */
export const exerciseFileName = 'exercise.yaml'

/** Absolute paths of the exercises under `labs/exercises/`, by name; those of the working directory take precedence. */
export function listExercises(options: FindOptions = {}): string[] {
  const byName = new Map<string, string>()
  for (const folder of labFolders(options).map((labs) => join(labs, exercisesFolder))) {
    if (!isFolder(folder)) continue
    for (const name of namesIn(folder))
      if (!byName.has(name) && isExercise(join(folder, name))) byName.set(name, join(folder, name))
  }
  return [...byName.keys()].sort().map((name) => byName.get(name) ?? name)
}

/** Absolute path of an exercise's folder, by name or path. Throws InputError, with the nearest name, if there is none. */
export function findExercise(nameOrPath: string, options: FindOptions = {}): string {
  const all = listExercises(options)
  const named = all.find((folder) => basename(folder) === nameOrPath)
  if (named !== undefined) return named
  const path = resolve(options.cwd ?? process.cwd(), nameOrPath)
  if (nameOrPath !== '' && !path.includes('\0') && isExercise(path)) return path
  throw new InputError([
    {
      message: `there is no exercise "${nameOrPath}"`,
      hint:
        didYouMean(
          nameOrPath,
          all.map((folder) => basename(folder)),
        ) ?? '`vethlab workshop list` shows all',
    },
  ])
}

function isExercise(folder: string): boolean {
  return exists(join(folder, exerciseFileName))
}
