import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { listLabs } from '../../../src/lab/file/findLab.js'
import { findExercise, listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'

const page = readFileSync('docs/workshop.md', 'utf8')
const [original = '', translation = ''] = [...page.matchAll(/```yaml\n((?:# [^\n]*\n)?title:.*?)```/gs)].map(
  ([, text]) => text,
)

/** The problems of an exercise made of these files; none when it loads. */
function problems(t: Test, english: string, korean?: string): string[] {
  const files = { 'exercise.yaml': english, ...(korean === undefined ? {} : { 'exercise.ko.yaml': korean }) }
  const cwd = t.testdir({ labs: { exercises: { silent: files } } })
  try {
    loadExercise('silent', { cwd })
    return []
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('labs/exercises/silent/', '').split('\n')
    throw error
  }
}

t.test('the exercise that the page shows is one, and so is its translation', async (t) => {
  t.strictSame(problems(t, original, translation), [])
  const { texts, checks, faults } = loadExercise('silent', { cwd: join(t.testdirName) })
  t.strictSame(
    checks.map(({ name, guard }) => [name, guard]),
    [
      ['node-port', false],
      ['service', true],
    ],
  )
  t.equal(faults.length, 1)
  t.match(texts.ko?.checks['node-port'], /node-a/)
  t.match(loadExercise('silent', { cwd: t.testdirName }), { minutes: 10, prerequisites: ['nobody-home'] })
})

t.test('problems are reported with their positions', async (t) => {
  const wrong: [string, string, RegExp][] = [
    ['level: 2', 'level: 4', /^exercise\.yaml:3:8: "level" must be/],
    ['says: The client', 'sais: The client', /unknown field "sais" in check 1; did you mean "says"\?$/],
    ['name: service', 'name: node-port', /^exercise\.yaml:\d+:11: there are two checks named "node-port"$/],
    ['name: service', 'name: The Service', /"name" in check 2 is not a name/],
    [
      '{ status: 200 }',
      '{ dnat: none }',
      /"dnat" in check 1 needs captures, which an exercise does not have/,
    ],
    ['{ status: 200 }', '{ exitCode: x }', /^exercise\.yaml:\d+:\d+: "exitCode" in expect of check 1/],
    ['curl: http', 'carl: http', /unknown field "carl" in check 1; did you mean "curl"\?/],
    ['    command:', '    repeat: 2\n    ping: x\n    command:', /fault 1 has several actions/],
    ['- vethlab exec', '- kubectl exec', /entry 1 of "solution" is not a command of vethlab/],
    ['    says: The client', '    guard: true\n    says: The client', /every check is a guard/],
    ['{node-a}:30080', '{node-a:30080', /check 1/],
    ['minutes: 10', 'minutes: 0', /^exercise\.yaml:4:10: "minutes" must be at least 1$/],
    [
      '[nobody-home]',
      '[nobody-hom]',
      /^exercise\.yaml:5:17: there is no exercise "nobody-hom"; did you mean "nobody-home"\?$/,
    ],
    ['[nobody-home]', '[silent]', /^exercise\.yaml:5:17: an exercise is not its own prerequisite$/],
    [
      'answer: 1',
      'answer: 4',
      /^exercise\.yaml:\d+:13: "answer" of the question "first-table" is 4, but there are 3 options$/,
    ],
    ['    answer: 1', '    anser: 1', /unknown field "anser" in question 2; did you mean "answer"\?/],
    ['after: KUBE', 'aftr: KUBE', /unknown field "aftr" in predict of question 1; did you mean "after"\?/],
    [
      'name: first-table',
      'name: next-chain',
      /^exercise\.yaml:\d+:11: there are two questions named "next-chain"$/,
    ],
  ]
  for (const [from, to, message] of wrong) {
    t.ok(original.includes(from), from)
    t.match(problems(t, original.replace(from, to)).join('\n'), message)
  }
  t.strictSame(problems(t, '- 1'), [
    'exercise.yaml:1:1: an exercise file is a mapping (title, task, checks, …)',
  ])
})

t.test('a translation with a piece too many or too few is refused', async (t) => {
  const wrong: [string | RegExp, string, RegExp][] = [
    [/ {2}service:.*\n/, '', /^exercise\.ko\.yaml:\d+:\d+: the check "service" is not translated$/],
    ['  service:', '  servise:', /the exercise has no check "servise"$/m],
    [/ {2}- 패킷은.*\n/, '', /^exercise\.ko\.yaml:\d+:\d+: there are 1 hints here, and 2 in exercise\.yaml$/],
    [/^why:.*\n/m, '', /"why" is missing/],
    [
      / {2}next-chain:\n.*\n/,
      '',
      /^exercise\.ko\.yaml:\d+:\d+: the question "next-chain" is not translated$/,
    ],
    ['  next-chain:', '  next:', /the exercise has no question "next"$/m],
    [/ {4}ask:.*\n/, '', /the question "first-table" has no "ask"$/],
    [
      '  next-chain:\n',
      '  next-chain:\n    ask: 왜?\n',
      /"next-chain" has "ask", but its text is generated$/,
    ],
    [', filter 테이블]', ']', /the question "first-table" has 2 options here, and 3 in exercise\.yaml$/],
  ]
  for (const [from, to, message] of wrong)
    t.match(problems(t, original, translation.replace(from, to)).join('\n'), message)
})

t.test('exercises have names of their own, and are found by them', async (t) => {
  const names = (folders: readonly string[]) => folders.map((folder) => folder.split('/').at(-1) ?? '')
  const [exercises, labs] = [names(listExercises()), names(listLabs())]
  t.strictSame(
    exercises.filter((name) => labs.includes(name)),
    [],
    'a lab that is up is known by its name alone',
  )
  t.throws(() => findExercise('nobody-hom'), {
    message: /there is no exercise "nobody-hom"; did you mean "nobody-home"\?/,
  })
  t.throws(() => findExercise('labs/nodeport'), { message: /there is no exercise.*workshop list/ })
})
