import type { Test } from 'tap'
import { exitCode } from '../../src/errors.js'
import type { Exercise } from '../../src/lab/workshop/types.js'
import { cannotRun } from './ability.js'
import type { Ended } from './commandLine.js'
import { copyOfExercise } from './exerciseCopy.js'

/** A text with its lines broken nowhere. */
export function inOne(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The checks that a `workshop check` says to fail, by name. */
function failing({ texts: { en } }: Exercise, { stdout }: Ended): string[] {
  const printed = inOne(stdout)
  return Object.entries(en.checks)
    .filter(([, says]) => printed.includes(`✗ ${inOne(says)}`))
    .map(([name]) => name)
}

/** Commands that a task shows stand on lines of their own; what is said of them is further to the right. */
function taskCommands(task: string): string[] {
  return [...task.matchAll(/^ +(vethlab .*?)(?: {2,}|$)/gm)].map(([, command = '']) => command)
}

/** Starts an exercise, types its commands and its solution, and compares the checks before, after and after a reset. */
export function solveExercise(t: Test, exercise: Exercise): void {
  const { name, checks, solution, texts } = exercise
  const atFirst = checks.filter(({ guard }) => !guard).map((check) => check.name)
  t.test(`${name} can be solved, and only so`, { skip: cannotRun }, async (t) => {
    const copy = copyOfExercise(t, exercise.directory)
    const started = await copy.workshop('start', copy.name)
    t.equal(started.code, 0, started.stderr)
    t.match(inOne(started.stdout), inOne(texts.en.task), 'the task is printed')

    for (const command of taskCommands(texts.en.task)) {
      const { code, stderr } = await copy.type(command)
      // what is called may not answer; but it is called
      t.notOk([exitCode.invalidInput, exitCode.cannotRun, 70, 126, 127].includes(code ?? 70), command, {
        code,
        stderr,
      })
    }

    const before = await copy.workshop('check')
    t.equal(before.code, 1, before.stderr)
    t.strictSame(failing(exercise, before), atFirst, 'what is wrong at first, and nothing else', before)

    const shown = await copy.workshop('solution')
    for (const command of solution) {
      t.ok(shown.stdout.includes(`  ${command}\n`), 'the solution is shown')
      const typed = await copy.type(command)
      t.equal(typed.code, 0, command, typed)
    }
    const after = await copy.workshop('check')
    t.equal(after.code, 0, 'it is solved', { ...after, failing: failing(exercise, after) })
    t.match(inOne(after.stdout), inOne(texts.en.remember))

    const again = await copy.workshop('reset')
    t.equal(again.code, 0, again.stderr)
    t.strictSame(failing(exercise, await copy.workshop('check')), atFirst, 'reset brings all of it back')
  })
}
