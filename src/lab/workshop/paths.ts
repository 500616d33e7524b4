import { basename, join, relative } from 'node:path'
import * as z from 'zod'
import { InputError, type Problem } from '../../errors.js'
import { exists } from '../../host/paths.js'
import { didYouMean } from '../../text/nearestName.js'
import { knownKeys, problemsOf } from '../file/explain.js'
import { exercisesFolder, labFolders, type FindOptions } from '../file/findLab.js'
import { refuseForeignFile } from '../file/ownFiles.js'
import { readYaml, type YamlFile } from '../file/readYaml.js'
import { lineSome } from '../file/requestSchema.js'
import { listExercises } from './findExercise.js'
import { loadExercise } from './loadExercise.js'

const pathsFileName = 'paths.yaml'

const pathSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not a name: write lower case words with - between them'),
  title: z.strictObject({ en: lineSome, ko: lineSome.optional() }),
  exercises: z.array(lineSome).min(1).max(100),
})

/** A learning path: exercises in the order in which to solve them. */
export interface LearningPath {
  readonly name: string
  readonly title: { readonly en: string; readonly ko?: string | undefined }
  /** Names of exercises. */
  readonly exercises: readonly string[]
}

/**
 * The paths of the files `labs/exercises/paths.yaml`; those of the working directory come first, and replace others of the same
 * name. Throws InputError, also for an exercise that comes before its prerequisite.
 */
export function learningPaths(options: FindOptions = {}): readonly LearningPath[] {
  const byName = new Map<string, LearningPath>()
  for (const labs of labFolders(options)) {
    const folder = join(labs, exercisesFolder)
    if (!exists(join(folder, pathsFileName))) continue
    for (const path of readPaths(folder, options)) if (!byName.has(path.name)) byName.set(path.name, path)
  }
  return [...byName.values()]
}

/** A learning path by its name. Throws InputError, with the nearest name, if there is none. */
export function learningPath(name: string, options: FindOptions = {}): LearningPath {
  const all = learningPaths(options)
  const found = all.find((path) => path.name === name)
  if (found !== undefined) return found
  const names = all.map((path) => path.name)
  const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}`
  throw new InputError([{ message: `there is no learning path "${name}"`, hint }])
}

function readPaths(folder: string, options: FindOptions): readonly LearningPath[] {
  const path = join(folder, pathsFileName)
  const short = relative(options.cwd ?? process.cwd(), path)
  const shown = short.startsWith('..') ? path : short
  refuseForeignFile(path, folder, shown)
  const file = readYaml(path, shown)
  if (!Array.isArray(file.value))
    throw new InputError([{ message: 'a file of learning paths is a list', at: file.at([]) }])
  const parsed = z.array(pathSchema).safeParse(file.value, { error: knownKeys, jitless: true })
  if (!parsed.success) throw new InputError(problemsOf(parsed.error, file))
  const problems = parsed.data.flatMap((one, index) => pathProblems(one, index, file, options))
  if (problems.length > 0) throw new InputError(problems)
  return parsed.data
}

function pathProblems(
  { exercises }: LearningPath,
  index: number,
  { at }: YamlFile,
  options: FindOptions,
): Problem[] {
  const known = listExercises(options).map((folder) => basename(folder))
  return exercises.flatMap((name, place): Problem[] => {
    const position = () => at([index, 'exercises', place])
    if (!known.includes(name))
      return [{ message: `there is no exercise "${name}"`, at: position(), hint: didYouMean(name, known) }]
    if (exercises.indexOf(name) < place)
      return [{ message: `"${name}" is already in this path`, at: position() }]
    const late = loadExercise(name, options).prerequisites.find(
      (prerequisite) => exercises.indexOf(prerequisite) > place,
    )
    return late === undefined
      ? []
      : [{ message: `"${name}" comes before its prerequisite "${late}"`, at: position() }]
  })
}
