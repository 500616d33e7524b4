import t from 'tap'
import type { Attempt } from '../../../src/lab/workshop/progress.js'
import { newClass } from '../../../src/workshop/class/newClass.js'
import { classResults, resultsCsv } from '../../../src/workshop/class/results.js'

const startedAt = '2026-01-02T03:04:05.678Z'
const attempt: Attempt = { directory: '/labs', startedAt, hints: 2, sawSolution: false }

function resultsOf(exercises: Readonly<Record<string, Attempt>>) {
  const record = newClass('A class', ['ada', 'bob'], undefined, 1)
  return classResults(record, (name) => ({ exercises: name === 'ada' ? exercises : {} }))
}

t.test('results of all participants, in the order of the roster', async (t) => {
  const quizzes = { one: { answer: 1, right: true }, two: { answer: 0, right: false } }
  const solved = { ...attempt, passedAt: startedAt, checks: { passed: 1, failed: 3 }, quizzes }
  const results = resultsOf({ island: solved, 'nobody-home': attempt })
  t.strictSame(
    results.participants.map(({ name, exercises }) => [name, exercises.length]),
    [
      ['ada', 2],
      ['bob', 0],
    ],
  )
  const ms = Date.parse(startedAt)
  t.strictSame(results.participants[0]?.exercises[0], {
    ...{ exercise: 'island', startedAt: ms, hints: 2, sawSolution: false, solvedAt: ms },
    ...{ checks: { passed: 1, failed: 3 }, quizzes: { right: 1, answered: 2 } },
  })
  t.equal(
    resultsCsv(results),
    [
      'participant,exercise,started,solved,checks_passed,checks_failed,hints,saw_solution,quiz_right,quiz_answered',
      `ada,island,${startedAt},${startedAt},1,3,2,false,1,2`,
      `ada,nobody-home,${startedAt},,0,0,2,false,0,0`,
      '',
    ].join('\r\n'),
  )
})

t.test('cells with separators are quoted, and no cell is a formula', async (t) => {
  const cells: readonly [string, string][] = [
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['one-two', 'one-two'],
  ]
  for (const [name, cell] of cells)
    t.equal(
      resultsCsv(resultsOf({ [name]: attempt }))
        .slice(0, -2)
        .split(`${startedAt}`)[0]
        ?.split('quiz_answered\r\n')[1],
      `ada,${cell},`,
    )
})
