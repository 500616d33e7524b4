import t from 'tap'
import type { ExerciseState, ExerciseSummary } from '../../../src/view/class/api.js'
import { isByLevel, nextStep } from '../../../src/view/page/class/participant/nextStep.js'

function exercise(name: string, state: ExerciseState, more: Partial<ExerciseSummary> = {}): ExerciseSummary {
  return { name, title: { en: name }, level: 1, prerequisites: [], open: true, state, ...more }
}

t.test('one exercise is next', async (t) => {
  const next = (exercises: readonly ExerciseSummary[], current?: string) => nextStep(exercises, current)?.name
  t.equal(next([]), undefined)
  t.equal(next([exercise('a', 'solved')]), undefined)
  t.equal(next([exercise('a', 'new'), exercise('b', 'started')], 'b'), 'b', 'the current one')
  t.equal(next([exercise('a', 'solved'), exercise('b', 'new')], 'a'), 'b', 'the current one is solved')
  t.equal(next([exercise('a', 'new', { open: false }), exercise('b', 'new')]), 'b', 'a locked one is not')
  const after = { prerequisites: ['b'] }
  t.equal(next([exercise('a', 'new', after), exercise('b', 'new')]), 'b', 'prerequisites first')
  t.equal(next([exercise('a', 'new', after), exercise('b', 'solved')]), 'a')
  t.equal(next([exercise('a', 'new', { prerequisites: ['elsewhere'] })]), 'a', 'of this class only')
  t.equal(next([exercise('a', 'new', after), exercise('b', 'new', { open: false })]), 'a', 'the lock stays')
})

t.test('an order in which levels decrease is that of the class', async (t) => {
  const of = (...levels: readonly (1 | 2 | 3)[]) => levels.map((level) => ({ level }))
  t.ok(isByLevel(of()))
  t.ok(isByLevel(of(1, 1, 2, 3)))
  t.notOk(isByLevel(of(2, 1)))
})
