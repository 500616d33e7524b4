import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'
import { copyOfExercise } from './exerciseCopy.js'
import { inOne, solveExercise } from './solveExercise.js'

// `npm run test:full` solves the others
solveExercise(t, loadExercise('nobody-home'))

t.test('a participant is guided', { skip: cannotRun }, async (t) => {
  const exercise = loadExercise('nobody-home')
  const copy = copyOfExercise(t, exercise.directory)
  const { name, state } = copy
  const workshop = (...args: readonly string[]) => copy.workshop(...args)
  const { en, ko } = exercise.texts
  t.match(await workshop('check'), { code: 2, stderr: /no exercise was started yet/ })
  t.match(await workshop('check', name), { code: 2, stderr: /was not started yet; `vethlab workshop start / })

  const korean = await workshop('start', name, '--lang', 'ko')
  t.match(inOne(korean.stdout), inOne(ko?.task ?? ''), 'in the language that is asked for')
  for (const [index, text] of en.hints.entries()) {
    const { code, stdout } = await workshop('hint')
    t.equal(code, 0)
    t.match(inOne(stdout), `Hint ${index + 1} of ${en.hints.length}: ${inOne(text)}`)
  }
  t.match(await workshop('hint'), { code: 0, stdout: /no more than 3 hints/ })
  t.match((await workshop('status')).stdout, new RegExp(`^${name} +started, lab running +3 hints$`, 'm'))
  t.match(await workshop('start', name), { code: 0, stdout: /^\S+ is already running and was not changed/ })

  await vethlab(['down', name])
  t.match((await workshop('status')).stdout, new RegExp(`^${name} +started, lab not running`, 'm'))
  t.match(await workshop('check'), {
    code: 2,
    stderr: new RegExp(`is not running; .*workshop start ${name}`),
  })
  const kept = JSON.parse(readFileSync(join(state, 'vethlab/workshop.json'), 'utf8')) as { current: string }
  t.equal(kept.current, name)
})
