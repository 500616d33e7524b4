import type { Exercise, Level } from '../../lab/workshop/types.js'
import { loadExercise } from '../../lab/workshop/loadExercise.js'
import { learningPath, learningPaths } from '../../lab/workshop/paths.js'
import { formatTable } from '../../text/table.js'
import { allExercises, nextExercise } from '../../workshop/exercises.js'
import { labOf } from '../../workshop/labOf.js'
import type { Session } from './session.js'
import { printColoured } from '../output.js'
import { foldedWidth } from '../terminal.js'

const levels: readonly Level[] = [1, 2, 3]

/** `vethlab workshop list`: prints all exercises with their titles, and marks the solved ones. */
export function list(session: Session): void {
  const { say, print, prose, colours, progress } = session
  const all = allExercises()
  for (const level of levels) {
    const own = all.filter((exercise) => exercise.level === level)
    if (own.length === 0) continue
    print(colours.bold(say.levels[level]))
    printExercises(session, own)
  }
  const paths = learningPaths().map(({ name }) => name)
  print(prose(say.paths(paths.join(', '))))
  const next = nextExercise(progress())
  print(next === undefined ? solvedOf(session, all) : say.howToStart(next.name))
}

/** `vethlab workshop list --path NAME`: prints the exercises of a learning path in its order. */
export function listPath(session: Session, name: string): void {
  const { say, print, colours, language } = session
  const { title, exercises } = learningPath(name)
  const all = exercises.map((exercise) => loadExercise(exercise))
  print(colours.bold(title[language] ?? title.en))
  printExercises(session, all)
  const next = all.find((exercise) => !isSolved(session, exercise))
  print(next === undefined ? solvedOf(session, all) : say.howToStart(next.name))
}

function printExercises(session: Session, exercises: readonly Exercise[]): void {
  const { print, words, say } = session
  const rows = exercises.map((exercise) => [
    isSolved(session, exercise) ? '✓' : '',
    exercise.name,
    exercise.minutes === undefined ? '' : say.minutes(exercise.minutes),
    words(exercise).title,
  ])
  // a column with empty cells only keeps its place
  print(formatTable(rows, { indent: 1, least: [1], width: foldedWidth() }))
}

/** `vethlab workshop status`: prints which exercises this user started and solved. */
export async function status(session: Session): Promise<void> {
  const { print } = session
  const all = allExercises()
  const rows = await Promise.all(
    all.map(async (exercise) => [exercise.name, await stateOf(session, exercise), helpOf(session, exercise)]),
  )
  printColoured(formatTable(rows, { width: foldedWidth() }))
  print(`\n${solvedOf(session, all)}`)
}

async function stateOf({ say, progress, owner }: Session, { name }: Exercise): Promise<string> {
  const attempt = progress().exercises[name]
  if (attempt === undefined) return say.states.none
  if (attempt.passedAt !== undefined) return say.states.solved(attempt.passedAt.slice(0, 10))
  const up = await labOf({ name, directory: attempt.directory }, owner)
  return up === undefined ? say.states.gone : say.states.up
}

function helpOf({ say, progress }: Session, { name }: Exercise): string {
  const { hints = 0, sawSolution = false } = progress().exercises[name] ?? {}
  return [...(hints > 0 ? [say.hintsShown(hints)] : []), ...(sawSolution ? [say.sawSolution] : [])].join(', ')
}

function solvedOf(session: Session, all: readonly Exercise[]): string {
  return session.say.solvedOf(all.filter((exercise) => isSolved(session, exercise)).length, all.length)
}

function isSolved({ progress }: Session, { name }: Exercise): boolean {
  return progress().exercises[name]?.passedAt !== undefined
}
