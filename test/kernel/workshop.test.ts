import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { askedQuizzes } from '../../src/lab/workshop/quizzes.js'
import { cannotRun } from './ability.js'
import { copyOfExercise } from './exerciseCopy.js'
import { vethlab } from './servedCommands.js'

/** A text with its lines broken nowhere. */
function inOne(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

t.test('authors write an exercise and test it', { skip: cannotRun }, async (t) => {
  const cwd = t.testdir()
  const workshop = (...args: readonly string[]) => vethlab(['workshop', ...args], { cwd })
  const written = await workshop('init', 'quiet-port')
  t.match(written, {
    code: 0,
    stdout: /^labs\/exercises\/quiet-port\/exercise\.yaml\n.*workshop test quiet-port\n$/s,
  })
  t.match(await workshop('init', 'quiet-port'), {
    code: 2,
    stderr: /there is a lab or an exercise "quiet-port"/,
  })
  t.match(await workshop('init', 'Raw_Rule'), { code: 2, stderr: /is not a name/ })
  const passing = await workshop('test', 'quiet-port')
  t.match(passing, {
    code: 0,
    stdout: /✓ without the fault: 1 of 1 checks.*✓ with the fault: node-port fails/s,
  })
  t.match(
    passing.stdout,
    /✓ after the solution \(1 command\): 2 of 2 checks pass\n {2}✓ after a reset of [0-9.]+ s: /,
  )
  t.notMatch(passing.stdout, /✗/)

  // a fault that does no harm, and a solution that does
  const file = join(cwd, 'labs/exercises/quiet-port/exercise.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace("'30080', -j, DROP", "'31080', -j, DROP").replace('-F PREROUTING', '-A PREROUTING -j DROP'),
  )
  const failing = await workshop('test', 'quiet-port')
  t.match(failing, {
    code: 1,
    stdout: /✗ with the fault: no check fails\n +the check "node-port" passes, and is no guard/,
  })
  t.match(failing.stdout, /✗ after the solution \(1 command\): 1 of 2 .*the solution has to make it pass/s)
  t.match(failing.stdout, /0 of 1 exercises passed; failed: quiet-port\n$/)
  writeFileSync(file, text.replace('level: 2', 'level: 4'))
  t.match(await workshop('test', 'quiet-port'), { code: 2, stderr: /exercise\.yaml:3:8: "level" must be/ })
  t.equal((await vethlab(['ps'], { env: { VETHLAB_AS: 'author' } })).stdout.includes('quiet-port'), false)
})

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

  const asked = askedQuizzes(exercise, 'en')
  const answers = asked.map(({ answer }) => answer + 1)
  t.match(await copy.workshop('quiz'), { code: 1, stdout: /^Question 1 of 1 .*0 of 1 answers are right/s })
  const wrong = await copy.quiz('x', (answers[0] ?? 0) + 1)
  t.match(wrong, {
    code: 1,
    stdout: /Enter a number from 1 to 4.*Wrong. The right answer is 2: EndpointSlices/s,
  })
  t.match(await copy.quiz(...answers), { code: 0, stdout: /Right.*1 of 1 answers are right/s })

  await vethlab(['down', name])
  t.match((await workshop('status')).stdout, new RegExp(`^${name} +started, lab not running`, 'm'))
  t.match(await workshop('check'), {
    code: 2,
    stderr: new RegExp(`is not running; .*workshop start ${name}`),
  })
  const kept = JSON.parse(readFileSync(join(state, 'vethlab/workshop.json'), 'utf8')) as { current: string }
  t.equal(kept.current, name)
})
