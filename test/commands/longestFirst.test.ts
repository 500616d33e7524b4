import t from 'tap'
import { longestFirst } from '../../src/commands/labs/longestFirst.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'

t.test('labs with the most steps come first, and those with as many keep their order', (t) => {
  const { steps } = prepareLab('nodeport')
  const lab = (name: string, count: number) => ({ name, steps: steps.slice(0, count) })
  const labs = [lab('one', 1), lab('three', 3), lab('another with three', 3), lab('four', 4)]
  const given = [...labs]
  t.strictSame(
    longestFirst(labs).map(({ name }) => name),
    ['four', 'three', 'another with three', 'one'],
  )
  t.strictSame(labs, given, 'the given list is not changed')
  t.end()
})
