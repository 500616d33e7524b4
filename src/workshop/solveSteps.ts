import { InputError, SandboxError } from '../errors.js'
import { showSolution } from './checkExercise.js'
import { labOf } from './labOf.js'
import { runCommands } from './runCommands.js'
import { begunExercise, type Workshop } from './workshop.js'

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
  for (const { command, code, output } of await runCommands(commands, owner, signal, onCommand))
    if (code !== 0) throw new SandboxError(command, output)
  return { done: commands.length, all }
}
