import { InputError, SandboxError } from '../errors.js'
import { runVethlab } from '../host/terminal/runVethlab.js'
import { wordsOfCommand } from './authors/commandsIn.js'
import { showSolution } from './checkExercise.js'
import { labOf } from './labOf.js'
import { begunExercise, type Workshop } from './workshop.js'

/** The time limit for a command of the solution, in milliseconds. */
const commandMs = 60_000

/**
 * Carries out the first `to` commands of an exercise's solution in its lab, or all of them, and records that the solution was
 * seen. Throws InputError if the lab does not run or has fewer steps, and SandboxError for a command that fails.
 */
export async function solveSteps(
  workshop: Workshop,
  name: string | undefined,
  to: number | undefined,
  signal: AbortSignal,
  onCommand: (command: string) => void,
): Promise<{ readonly done: number; readonly all: number }> {
  const { exercise } = begunExercise(workshop, name)
  const { owner, say } = workshop
  const all = exercise.solution.length
  if (to !== undefined && to > all) throw new InputError([{ message: say.noStep(all) }])
  if ((await labOf(exercise, owner)) === undefined)
    throw new InputError([{ message: say.notUp(exercise.name), hint: say.startAgain(exercise.name) }])
  showSolution(workshop, exercise.name)
  const commands = exercise.solution.slice(0, to ?? all)
  for (const command of commands) {
    onCommand(command)
    const words = wordsOfCommand(command)
    if (words === undefined) throw new SandboxError(command, 'it needs a shell')
    const { code, output } = await runVethlab(words.slice(1), owner, { timeoutMs: commandMs, signal })
    if (code !== 0) throw new SandboxError(command, output)
  }
  return { done: commands.length, all }
}
