import { exitCode, isKnownError } from '../../errors.js'
import { findHolders, stopHolder } from '../../host/holders.js'
import { runVethlab } from '../../host/terminal/runVethlab.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import { noProgress, type Progress } from '../../lab/workshop/progress.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { startHeld } from '../../up/holder.js'
import type { StepOutcome } from '../../up/order.js'
import type { UpLab } from '../../up/upLab.js'
import { askOfExercise } from '../askOfExercise.js'
import { messages } from '../messages.js'
import { runCommands } from '../runCommands.js'
import { resetExercise, startExercise } from '../startExercise.js'
import type { Workshop } from '../workshop.js'
import { commandsIn, wordsOfCommand } from './commandsIn.js'
import { passed, type Finding } from './finding.js'

/** The time limit for a command of the task: one that waits for packets does not end. */
const taskMs = 10_000

/** Where findings go, and what ends a test. */
export interface TestRun {
  readonly found: (finding: Finding) => void
  readonly signal: AbortSignal
}

/**
 * Starts labs of an exercise for an owner of its own, without the fault and with it, and carries out the solution. Removes
 * what it has started. Throws errors of the host; what is wrong in the exercise is a finding.
 */
export async function testInLab(exercise: Exercise, prepared: PreparedLab, run: TestRun): Promise<void> {
  const owner = `author-${process.pid}`
  try {
    await testWithout(exercise, prepared, owner, run)
    await testWith(exercise, owner, run)
  } catch (error) {
    // a fault that cannot be created, or a lab that ended
    if (!isKnownError(error) || error.exitCode !== exitCode.checkFailed) throw error
    run.found({ what: 'the lab', problems: error.message.split('\n') })
  } finally {
    await Promise.all(findHolders(owner).map(stopHolder))
  }
}

/** The lab without its faults, if it has some: the checks that are no guards pass. */
async function testWithout(
  exercise: Exercise,
  prepared: PreparedLab,
  owner: string,
  { found, signal }: TestRun,
): Promise<void> {
  if (exercise.faults.length === 0)
    return found(passed('without the fault: not applicable, the objects of the lab have it'))
  const up = await startHeld(prepared, { signal }, owner)
  const outcomes = await askOfExercise(up, 'checks')
  await stopHolder(up.holder)
  // a guard may be about what a fault leaves
  const { failed, passing } = sorted(exercise, outcomes)
  const all = failed.length + passing.length
  // a lab in which something is to be built: its faults do not make the checks fail
  if (passing.length === 0)
    return found(passed('without the fault: not applicable, the lab itself does not pass its checks'))
  found({
    what: `without the fault: ${passing.length} of ${all} checks that are no guards pass`,
    problems: failed.map((one) => `${described(one)}; it has to pass without the fault`),
  })
}

/** The broken lab, its solution, and the broken lab again. */
async function testWith(exercise: Exercise, owner: string, run: TestRun): Promise<void> {
  const { found, signal } = run
  const workshop = workshopInMemory(owner)
  const { up } = await startExercise(workshop, exercise.directory, signal)
  const commands = commandsIn(exercise.texts.en.task)
  if (commands.length > 0)
    found({
      what: `the task's commands run: ${commands.length}`,
      problems: await tryAll(commands, owner, run),
    })
  found(broken(exercise, await askOfExercise(up, 'checks'), 'with the fault'))
  found(await solved(exercise, up, owner, run))
  const begin = performance.now()
  const again = await resetExercise(workshop, exercise.name, signal)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  found(broken(exercise, await askOfExercise(again.up, 'checks'), `after a reset of ${seconds} s`))
}

/** Runs the commands of a task: they may fail, as requests to a broken lab do, but must be commands. */
async function tryAll(commands: readonly string[], owner: string, { signal }: TestRun): Promise<string[]> {
  const problems: string[] = []
  for (const command of commands) {
    const words = wordsOfCommand(command)
    if (words === undefined) continue
    const { code, output } = await runVethlab(words.slice(1), owner, { timeoutMs: taskMs, signal })
    // 127 and 126: there is no such program; 70: a bug
    if (code !== undefined && [exitCode.invalidInput, exitCode.cannotRun, 70, 126, 127].includes(code))
      problems.push(`\`${command}\` exits with ${code}: ${output}`)
  }
  return problems
}

async function solved(exercise: Exercise, up: UpLab, owner: string, { signal }: TestRun): Promise<Finding> {
  const { solution } = exercise
  const problems = (await runCommands(solution, owner, signal)).flatMap(({ command, code, output }) => {
    if (code === 0) return []
    return [`\`${command}\` ${code === undefined ? 'does not end' : `exits with ${code}`}: ${output}`]
  })
  const outcomes = await askOfExercise(up, 'checks')
  const failed = outcomes.filter(({ ok }) => !ok)
  return {
    what: `after the solution (${solution.length} ${solution.length === 1 ? 'command' : 'commands'}): ${outcomes.length - failed.length} of ${outcomes.length} checks pass`,
    problems: [...problems, ...failed.map((one) => `${described(one)}; the solution has to make it pass`)],
  }
}

/** Exactly the checks that are not guards fail. */
function broken(exercise: Exercise, outcomes: readonly StepOutcome[], when: string): Finding {
  const { failed, failedGuards, passing } = sorted(exercise, outcomes)
  return {
    what: `${when}: ${failed.map(({ name }) => name).join(', ') || 'no check'} ${failed.length > 1 ? 'fail' : 'fails'}`,
    problems: [
      ...passing.map((name) => `the check "${name}" passes, and is no guard: the fault has to make it fail`),
      ...failedGuards.map((one) => `${described(one)}; a guard has to pass from the start`),
    ],
  }
}

function sorted({ checks }: Exercise, outcomes: readonly StepOutcome[]) {
  const isGuard = (name: string) => checks.some((check) => check.name === name && check.guard)
  return {
    failed: outcomes.filter(({ name, ok }) => !ok && !isGuard(name)),
    failedGuards: outcomes.filter(({ name, ok }) => !ok && isGuard(name)),
    passing: outcomes.filter(({ name, ok }) => ok && !isGuard(name)).map(({ name }) => name),
  }
}

function described({ name, observed }: StepOutcome): string {
  return `the check "${name}" fails (${observed.join('; ')})`
}

/** A workshop without a file: a test is no progress. */
function workshopInMemory(owner: string): Workshop {
  let kept: Progress = noProgress
  return {
    ...{ owner, language: 'en', say: messages.en },
    progress: () => kept,
    save: (progress) => (kept = progress),
  }
}
