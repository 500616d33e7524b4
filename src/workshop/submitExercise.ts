import { InputError, type Problem } from '../errors.js'
import { isCode } from '../diagnose/codes/codes.js'
import type { Exercise } from '../lab/workshop/types.js'
import { needsShell, wordsOfCommand } from './authors/commandsIn.js'
import { checkExercise } from './checkExercise.js'
import { runCommands, type RanCommand } from './runCommands.js'
import { resetExercise, startExercise } from './startExercise.js'
import { begunExercise, type Workshop } from './workshop.js'

/** An answer to an exercise. */
export interface Submission {
  /** A code of docs/causes.md. */
  readonly cause: string
  /** Commands that fix the broken lab, such as `vethlab exec LAB PLACE -- …`. */
  readonly fix: readonly string[]
}

/** What an answer is worth. It depends on the answer alone: the fix is tried in a lab that was just started. */
export interface Verdict {
  readonly exercise: string
  /** Undefined if the exercise names no cause. */
  readonly causeIsRight: boolean | undefined
  /** The commands of the fix that ran, up to the first that failed. */
  readonly commands: readonly RanCommand[]
  /** Checks that fail after the fix, by name, with what they say; none if the lab is fixed. */
  readonly failed: Readonly<Record<string, string>>
  /** Whether the cause is right, if there is one, and the lab is fixed. */
  readonly solved: boolean
}

/** The commands of a fix: they change the lab of the exercise, and nothing else. */
const verbs = ['exec', 'kubectl', 'restart']

/** Starts the broken lab of an exercise, also if it runs, so that nobody has changed it. */
export async function startFresh(workshop: Workshop, nameOrPath: string, signal: AbortSignal) {
  const started = await startExercise(workshop, nameOrPath, signal)
  return started.wasUp ? resetExercise(workshop, started.exercise.name, signal) : started
}

/** Judges an answer. Throws InputError for a code that does not exist, and for commands of other kinds or for other labs. */
export async function submitExercise(
  workshop: Workshop,
  name: string,
  { cause, fix }: Submission,
  signal: AbortSignal,
): Promise<Verdict> {
  const { exercise } = begunExercise(workshop, name)
  const problems = [
    ...(isCode(cause)
      ? []
      : [{ message: `"${cause}" is no code of a cause`, hint: '`vethlab explain` prints all of them' }]),
    ...commandProblems(exercise, fix),
  ]
  if (problems.length > 0) throw new InputError(problems)
  await startFresh(workshop, exercise.directory, signal)
  const commands = await runCommands(fix, workshop.owner, signal)
  const checked = await checkExercise(workshop, exercise.name)
  const texts = exercise.texts.en.checks
  const failed = Object.fromEntries(checked.failed.map((one) => [one, texts[one] ?? one]))
  const { causes } = exercise
  const causeIsRight = causes.length === 0 ? undefined : causes.some((one) => one === cause)
  const isFixed = checked.failed.length === 0 && commands.every(({ code }) => code === 0)
  return {
    exercise: exercise.name,
    causeIsRight,
    commands,
    failed,
    solved: isFixed && causeIsRight !== false,
  }
}

/** Refuses what does not run in the lab of the exercise: a program of the host, another lab. */
export function commandProblems(
  { name: lab }: Pick<Exercise, 'name'>,
  commands: readonly string[],
): readonly Problem[] {
  return commands.flatMap((command) => problemOf(command, lab))
}

function problemOf(command: string, lab: string): readonly Problem[] {
  if (needsShell(command))
    return [
      {
        message: `${command}: it needs a shell`,
        hint: 'write one command; put its words into single quotes',
      },
    ]
  const [program = '', verb = '', named = ''] = wordsOfCommand(command) ?? []
  const hint = `write \`vethlab VERB ${lab} …\`; the verbs are ${verbs.join(', ')}`
  if (program !== 'vethlab' || !verbs.includes(verb))
    return [{ message: `${command}: not a command for a lab`, hint }]
  return named === lab ? [] : [{ message: `${command}: the lab is "${lab}", not "${named}"`, hint }]
}
