import t from 'tap'
import { countsBetween, ruleCounts } from '../../src/netfilter/counts.js'
import { parseSave } from '../../src/netfilter/save.js'

const save = (counts: readonly number[]) =>
  ruleCounts(
    parseSave(
      `*filter\n:A - [0:0]\n${counts.map((n) => `[${n}:0] -A A -j DROP\n`).join('')}[7:0] -A A -j ACCEPT\nCOMMIT\n`,
    ),
  )

t.test('a count for each rule, in the order of the text', (t) => {
  t.same(save([1]), [
    { table: 'filter', chain: 'A', rule: '-A A -j DROP', packets: 1 },
    { table: 'filter', chain: 'A', rule: '-A A -j ACCEPT', packets: 7 },
  ])
  t.end()
})

t.test('between two readings', (t) => {
  const between = (before: readonly number[], after: readonly number[]) =>
    countsBetween(save(before), save(after)).map(({ packets }) => packets)
  t.same(between([1, 5], [4, 5]), [3, 0, 0], 'identical rules are matched by position')
  t.same(between([1], [1, 5]), [0, 5, 0], 'a rule that is new counts from 0')
  t.same(between([9], [2]), [2, 0], 'a recreated rule counts from 0')
  t.end()
})
