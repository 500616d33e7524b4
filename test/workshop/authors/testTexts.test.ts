import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { verbGroups } from '../../../src/commands/program/verbs.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { prepareExercise } from '../../../src/lab/workshop/prepareExercise.js'
import type { Exercise } from '../../../src/lab/workshop/types.js'
import { newExercise } from '../../../src/workshop/authors/newExercise.js'
import { testTexts } from '../../../src/workshop/authors/testTexts.js'

const verbs = verbGroups.flatMap((group) => group.verbs.map(({ name }) => name))

function problemsOf(exercise: Exercise): string[] {
  return testTexts(exercise, prepareExercise(exercise), verbs).flatMap(({ problems }) => problems)
}

/** A new exercise with these pieces of its files replaced. */
function changed(t: Test, name: string, pieces: Readonly<Record<string, string>>): Exercise {
  const folder = join(t.testdir(), 'labs/exercises', name)
  for (const { path, text } of newExercise(name)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    let own = text
    for (const [before, after] of Object.entries(pieces)) own = own.replaceAll(before, after)
    if (own !== '') writeFileSync(file, own)
  }
  return loadExercise(folder)
}

t.test('the texts of every exercise pass', async (t) => {
  for (const directory of listExercises()) {
    const exercise = loadExercise(directory)
    t.strictSame(problemsOf(exercise), [], exercise.name)
  }
})

t.test('a new exercise passes, and is the example of docs/workshop.md', async (t) => {
  t.strictSame(problemsOf(changed(t, 'silent-port', {})), [])
  const page = readFileSync('docs/workshop.md', 'utf8')
  for (const { path, text } of newExercise('silent-port'))
    if (path.startsWith('exercise.'))
      t.ok(page.includes(`\`\`\`yaml\n${text.replace(process.cwd(), 'PATH')}\`\`\``), path)
})

t.test('what is wrong is found', async (t) => {
  const wrong: [string, Readonly<Record<string, string>>, RegExp][] = [
    ['raw-rule', {}, /^the name reveals the fault: "raw", "rule" is in fault or solution, not in the task$/],
    [
      'silent',
      { 'title: A node port is silent': 'title: Packets dropped' },
      /the title \(en\) reveals .*"drop"/,
    ],
    [
      'silent',
      { "'Exercise: A node port is silent'": 'PREROUTING' },
      /the title of the lab reveals the fault: "prerout"/,
    ],
    ['silent', { '한 노드포트에서': 'raw 테이블 때문에' }, /the title \(ko\) reveals the fault: "raw"/],
    [
      'silent',
      { '노드포트에서 응답이 없습니다': '노드포트 `응답' },
      /title \(ko\) has a backtick without its partner/,
    ],
    [
      'silent',
      { '패킷은 nat 테이블보다 먼저 어떤 테이블을 지나나요?': 'Which one?' },
      /hint 1 is not in "ko"/,
    ],
    ['silent', { 'vethlab exec silent client': 'vethlab exec other client' }, /names the lab "other"/],
    ['silent', { 'vethlab exec silent client': 'vethlab exce silent client' }, /there is no command "exce"/],
    ['silent', { 'exec silent client': 'exec silent cilent' }, /"cilent"/],
    ['silent', { '-t raw -F PREROUTING': '-t raw -F PREROUTING; true' }, /needs a shell/],
    ['silent', { '-t raw -F PREROUTING': '-t raw -F PREROUTING | cat' }, /needs a shell/],
  ]
  for (const [name, pieces, problem] of wrong) {
    const found = problemsOf(changed(t, name, pieces))
    t.ok(
      found.some((one) => problem.test(one)),
      String(problem),
      { found },
    )
  }
})

t.test('a missing translation, and a command that one language does not have', async (t) => {
  const { texts, ...exercise } = changed(t, 'silent', {})
  t.match(problemsOf({ ...exercise, texts: { en: texts.en } }), [/^exercise\.ko\.yaml is missing/])
  const hints = texts.en.hints.map((hint) => `${hint}\n\n    ip route`)
  t.match(problemsOf({ ...exercise, texts: { ...texts, en: { ...texts.en, hints } } }), [
    /^exercise\.ko\.yaml does not have the command `ip route`$/,
  ])
})
