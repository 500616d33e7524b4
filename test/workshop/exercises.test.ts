import t from 'tap'
import { allExercises, nextExercise } from '../../src/workshop/exercises.js'
import type { Progress } from '../../src/lab/workshop/progress.js'

const all = allExercises()
const names = (level: number) => all.filter((one) => one.level === level).map(({ name }) => name)
const [first, second, third] = [names(1), names(2), names(3)]
const at = (list: readonly string[], index: number) => list.at(index) ?? ''

function solved(...passed: readonly string[]): Progress {
  const attempt = { directory: '', startedAt: '', hints: 0, sawSolution: false, passedAt: '2026-11-21' }
  return { exercises: Object.fromEntries(passed.map((name) => [name, attempt])) }
}

/** What is suggested after an exercise, when these are solved as well. */
function next(name: string, ...others: readonly string[]): string | undefined {
  return nextExercise(
    solved(name, ...others),
    all.find((one) => one.name === name),
  )?.name
}

t.test('the next exercise is of the same level, then of the next one', async (t) => {
  t.equal(nextExercise(solved())?.name, at(first, 0), 'the first one at first')
  t.equal(next(at(third, 0)), at(third, 1), 'not back to level 1')
  t.equal(next(at(third, 0), at(third, 1)), at(third, 2), 'one that is solved is passed over')
  t.equal(next(at(third, -1)), at(third, 0), 'what was left out of the level')
  t.equal(next(at(first, -1), ...first), at(second, 0), 'a level is through')
  t.equal(next(at(third, -1), ...third), at(first, 0), 'the highest level is through')
  t.equal(next(at(third, 0), ...first, ...second, ...third), undefined, 'all are solved')
})
