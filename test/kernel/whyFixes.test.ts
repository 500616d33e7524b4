import { resolve } from 'node:path'
import t from 'tap'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { copyOfExercise } from './exerciseCopy.js'

const throughNodeA = { from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' } as const

/** Exercises with a request that fails, and whose first fix solves the exercise; in `npm test` the first. */
const exercises = {
  'nobody-home': throughNodeA,
  'after-hardening': throughNodeA,
  'unexpected-sender': throughNodeA,
  neighbours: { from: 'caller', to: 'http://10.96.0.80/', protocol: 'tcp' },
} as const

for (const [exercise, request] of Object.entries(exercises).slice(0, runs(4, 1))) {
  t.test(`the first fix of why solves the exercise ${exercise}`, { skip: cannotRun }, async (t) => {
    const { findings } = whyRequest(planSnapshot(exercise), request)
    const command = findings[0]?.changes[0]?.proposal.command ?? ''
    const copy = copyOfExercise(t, resolve('labs/exercises', exercise))
    const started = await copy.workshop('start', copy.name)
    t.equal(started.code, 0, started.stderr)
    t.equal((await copy.workshop('check')).code, 1, 'the request fails at first')
    const typed = await copy.type(command)
    t.equal(typed.code, 0, command, typed)
    const checked = await copy.workshop('check')
    t.equal(checked.code, 0, command, checked)
  })
}
