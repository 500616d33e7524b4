import t from 'tap'
import { listExercises } from '../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import type { Exercise } from '../../src/lab/workshop/types.js'
import { cannotRun } from './ability.js'
import type { Ended } from './commandLine.js'
import { copyOfExercise } from './exerciseCopy.js'

/** The checks that a `workshop check` says to fail, by name. */
function failing({ texts: { en } }: Exercise, { stdout }: Ended): string[] {
  const told = stdout.replaceAll(/\s+/g, ' ')
  return Object.entries(en.checks)
    .filter(([, says]) => told.includes(`✗ ${says.replaceAll(/\s+/g, ' ')}`))
    .map(([name]) => name)
}

t.jobs = 2

for (const exercise of listExercises().map((directory) => loadExercise(directory))) {
  const { name, checks, solution, texts } = exercise
  const atFirst = checks.filter(({ guard }) => !guard).map((check) => check.name)
  t.test(`${name} can be solved, and only so`, { skip: cannotRun, timeout: 120_000 }, async (t) => {
    const copy = copyOfExercise(t, exercise.directory)
    const started = await copy.workshop('start', copy.name)
    t.equal(started.code, 0, started.stderr)
    t.match(started.stdout, texts.en.task, 'the task is told')

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
    t.match(after.stdout, texts.en.remember)

    const again = await copy.workshop('reset')
    t.equal(again.code, 0, again.stderr)
    t.strictSame(failing(exercise, await copy.workshop('check')), atFirst, 'reset brings all of it back')
  })
}
