import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { prepareExercise } from '../../../src/lab/workshop/prepareExercise.js'

t.test('every exercise is thought through before anything is built', async (t) => {
  for (const directory of listExercises()) {
    const exercise = loadExercise(directory)
    const { lab } = prepareExercise(exercise)
    t.equal(lab.name, exercise.name)
    t.strictSame(lab.steps, [], `${lab.name}: what is to be done is the participant's to find`)
  }
})

t.test('an unknown or ambiguous name in a check is reported with its position', async (t) => {
  const cwd = t.testdir()
  const folder = join(cwd, 'labs/exercises/wrong')
  cpSync('labs/exercises/wrong-door', folder, { recursive: true })
  const file = join(folder, 'exercise.yaml')
  const original = readFileSync(file, 'utf8')
  for (const [name, message] of [
    ['{shop}', /exercise\.yaml:\d+:\d+: .*"shop".*pod\/shop/],
    ['{shup}', /exercise\.yaml:\d+:\d+: .*"shup"/],
  ] as const) {
    writeFileSync(file, original.replace('{service/shop}', name))
    t.throws(() => prepareExercise(loadExercise('wrong', { cwd })), { message })
  }
})

t.test('with or without the faults of an exercise: each lab says which', async (t) => {
  const folder = './labs/exercises/every-other'
  t.strictSame(prepareLab(folder).notices, [
    `this is the lab without the faults of its exercise; \`vethlab workshop start ${folder}\` starts it with them`,
  ])
  t.strictSame(planSnapshot('every-other').notices, [
    'this is the lab with the faults of its exercise, as `vethlab workshop start every-other` starts it; `vethlab up` starts it without them',
  ])
  // the faults of these are in its manifests, or it is no exercise
  for (const lab of ['labs/exercises/mistaken-identity', 'nodeport']) {
    t.strictSame(prepareLab(lab).notices, [])
    t.strictSame(planSnapshot(lab).notices, [])
  }
})
