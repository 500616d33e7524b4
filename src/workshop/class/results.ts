import type { Progress } from '../../lab/workshop/progress.js'
import type { ClassRecord } from './classRecord.js'

/** The results of a class; times are milliseconds since the epoch. */
export interface ClassResults {
  readonly title: string
  readonly startedAt: number
  readonly endedAt?: number | undefined
  readonly participants: readonly {
    readonly name: string
    readonly exercises: readonly ExerciseResult[]
  }[]
}

export interface ExerciseResult {
  readonly exercise: string
  readonly startedAt: number
  readonly solvedAt?: number | undefined
  readonly checks: { readonly passed: number; readonly failed: number }
  readonly hints: number
  readonly sawSolution: boolean
  /** Right answers, and questions answered. */
  readonly quizzes: { readonly right: number; readonly answered: number }
}

/** The results of all participants, in the order of the roster. */
export function classResults(record: ClassRecord, progressOf: (name: string) => Progress): ClassResults {
  const { title, startedAt, endedAt, participants } = record
  return {
    ...{ title, startedAt, endedAt },
    participants: participants.map(({ name }) => ({ name, exercises: resultsOf(progressOf(name)) })),
  }
}

function resultsOf({ exercises }: Progress): ExerciseResult[] {
  return Object.entries(exercises).map(([exercise, attempt]) => {
    const { startedAt, passedAt, checks, hints, sawSolution, quizzes = {} } = attempt
    const answers = Object.values(quizzes)
    return {
      ...{ exercise, startedAt: Date.parse(startedAt), hints, sawSolution },
      solvedAt: passedAt === undefined ? undefined : Date.parse(passedAt),
      checks: checks ?? { passed: 0, failed: 0 },
      quizzes: { right: answers.filter(({ right }) => right).length, answered: answers.length },
    }
  })
}

const columns = [
  ...['participant', 'exercise', 'started', 'solved', 'checks_passed', 'checks_failed', 'hints'],
  ...['saw_solution', 'quiz_right', 'quiz_answered'],
]

/** The results as CSV (RFC 4180), a line for each participant and exercise. */
export function resultsCsv({ participants }: ClassResults): string {
  const date = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString())
  const rows = participants.flatMap(({ name, exercises }) =>
    exercises.map(({ exercise, startedAt, solvedAt, checks, hints, sawSolution, quizzes }) => [
      ...[name, exercise, date(startedAt), date(solvedAt), checks.passed, checks.failed, hints],
      ...[sawSolution, quizzes.right, quizzes.answered],
    ]),
  )
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A spreadsheet evaluates cells that begin like a formula, also after white space; a name of an exercise is that of a folder. */
function cell(value: string | number | boolean): string {
  const text = String(value)
  const safe = /^[\s=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
