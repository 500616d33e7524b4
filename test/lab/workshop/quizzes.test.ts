import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { askedQuizzes, type AskedQuiz } from '../../../src/lab/workshop/quizzes.js'
import { languages } from '../../../src/text/language.js'

/** The answer to a question about the next chain, in one-node-only with changes of its exercise.yaml. */
function ask(t: Test, ...changes: readonly (readonly [string, string])[]): AskedQuiz | string {
  const cwd = t.testdir()
  const folder = join(cwd, 'labs/exercises/changed')
  cpSync('labs/exercises/one-node-only', folder, { recursive: true })
  const file = join(folder, 'exercise.yaml')
  writeFileSync(
    file,
    changes.reduce(
      (text, [from, to]) => {
        t.ok(text.includes(from), from)
        return text.replace(from, to)
      },
      readFileSync(file, 'utf8'),
    ),
  )
  try {
    const [first] = askedQuizzes(loadExercise('changed', { cwd }), 'en')
    return first ?? ''
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}

function answerOf(asked: AskedQuiz | string): string {
  return typeof asked === 'string' ? asked : (asked.options[asked.answer] ?? '')
}

t.test('every question of the exercises has one right answer, the same in every language', async (t) => {
  for (const directory of listExercises()) {
    const exercise = loadExercise(directory)
    const asked = languages.map((language) => askedQuizzes(exercise, language))
    for (const [index, { name, options, answer, ask }] of (asked[0] ?? []).entries()) {
      t.ok(options.length >= 2 && options[answer] !== undefined, `${exercise.name} ${name}: ${ask}`)
      t.equal(new Set(options).size, options.length)
      for (const own of asked) t.equal(own[index]?.answer, answer)
    }
  }
})

t.test('the answer to a predict question is that of the lab', async (t) => {
  t.match(ask(t), {
    ask: 'client sends a request to `http://172.18.0.3:30080/`. Which chain is evaluated after `KUBE-EXT-PFIN…` on node-b?',
    answer: 2,
    options: ['KUBE-MARK-MASQ', 'KUBE-SVC-PFIN…', 'KUBE-SVL-PFIN…'],
  })
  t.match(answerOf(ask(t, ['after: KUBE-EXT-', 'after: KUBE-SERVICES'])), 'KUBE-NODEPORTS')
  // the policy that the exercise has makes the difference
  const cwd = t.testdir()
  cpSync('labs/exercises/one-node-only', join(cwd, 'labs/exercises/cluster'), { recursive: true })
  const shop = join(cwd, 'labs/exercises/cluster/manifests/shop.yaml')
  const before = readFileSync(shop, 'utf8')
  writeFileSync(shop, before.replace('externalTrafficPolicy: Local', 'externalTrafficPolicy: Cluster'))
  t.not(readFileSync(shop, 'utf8'), before)
  t.equal(answerOf(askedQuizzes(loadExercise('cluster', { cwd }), 'en')[0] ?? ''), 'KUBE-MARK-MASQ')
})

t.test('a predict question without an answer is reported with its position', async (t) => {
  const wrong: [string, string, RegExp][] = [
    [
      'after: KUBE-EXT-',
      'after: KUBE-SEP-',
      /exercise\.yaml:\d+:\d+: no chain comes after KUBE-SEP- on node-b/,
    ],
    [
      'after: KUBE-EXT-',
      'after: KUBE-WRONG',
      /no chain comes after KUBE-WRONG.*vethlab trace changed client/,
    ],
    ['at: node-b', 'at: node-c', /exercise\.yaml:\d+:\d+: .*"node-c"/],
    ["to: 'http://{node-b}", "to: 'http://{node-z}", /exercise\.yaml:\d+:\d+: .*node-z/],
  ]
  for (const [from, to, message] of wrong) t.match(ask(t, [from, to]), message)
  t.match(
    answerOf(ask(t, ['at: node-b', 'at: node-a'])),
    /no chain comes after KUBE-EXT- on node-a/,
    'on a node that the request does not pass',
  )
})
