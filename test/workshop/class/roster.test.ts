import t from 'tap'
import { InputError } from '../../../src/errors.js'
import { joinersOf, mostParticipants, namesInText, rosterOf } from '../../../src/workshop/class/roster.js'

t.test('a number makes names', async (t) => {
  t.strictSame(rosterOf(['3']), ['p01', 'p02', 'p03'])
  t.equal(rosterOf([String(mostParticipants)]).at(-1), 'p100')
  t.strictSame(rosterOf(['ada', '7']), ['ada', '7'], 'beside a name it is a name')
})

t.test('names that cannot be', async (t) => {
  const cases: readonly [readonly string[], RegExp][] = [
    [[], /from 1 to 100/],
    [['0'], /from 1 to 100/],
    [['101'], /from 1 to 100/],
    [['9'.repeat(20)], /from 1 to 100/],
    [Array.from({ length: 101 }, (_, index) => `p${index}`), /from 1 to 100/],
    [['Ada', 'bob'], /must be lower case .*: "Ada"/],
    [['../ada', 'bob'], /must be lower case/],
    [['=1', 'bob'], /must be lower case/],
    [['-x', 'bob'], /must be lower case/],
    [['ada\n', 'bob'], /must be lower case/],
    [['a'.repeat(64), 'bob'], /at most 63/],
    [['ada', 'bob', 'ada'], /two participants are named "ada"/],
    [['trainer', 'bob'], /no participant can be named "trainer"/],
  ]
  for (const [words, message] of cases)
    t.throws(() => rosterOf(words), { message }, String(words).slice(0, 30))
})

t.test('each problem is named once', async (t) => {
  try {
    rosterOf(['X', 'ada', 'ada', 'ada'])
    t.fail('it is invalid')
  } catch (error) {
    t.equal(error instanceof InputError && error.problems.length, 2)
  }
})

t.test('a file has one name in a line', async (t) => {
  t.strictSame(namesInText('# the class\r\nada\r\n\n  bob  # by the window\n#linus\ngrace'), [
    'ada',
    'bob',
    'grace',
  ])
  t.strictSame(namesInText(''), [])
})

t.test('participants who join later are named, and are not in the class yet', async (t) => {
  t.strictSame(joinersOf(['p01'], ['3', 'eve']), ['3', 'eve'], 'a number is a name')
  t.throws(() => joinersOf(['ada'], []), { message: /no participant is named/ })
  t.throws(() => joinersOf(['ada', 'bob'], ['ada']), { message: /two participants are named "ada"/ })
  const full = Array.from({ length: mostParticipants }, (_, index) => `p${index}`)
  t.throws(() => joinersOf(full, ['eve']), { message: /from 1 to 100/ })
})
