import t, { type Test } from 'tap'
import { learningPath, learningPaths } from '../../../src/lab/workshop/paths.js'
import { hangul } from '../../text/textsIn.js'

/** Reads these paths in a folder; returns the message of the error. */
function problems(t: Test, yaml: string): string {
  const cwd = t.testdir({ labs: { exercises: { 'paths.yaml': yaml } } })
  try {
    learningPaths({ cwd })
    return ''
  } catch (error) {
    return (error as Error).message.replaceAll('labs/exercises/', '')
  }
}

t.test('the paths of the repository have titles in both languages', async (t) => {
  const all = learningPaths()
  t.ok(all.some(({ name }) => name === 'two-hours'))
  for (const { name, title } of all) {
    t.notMatch(title.en, hangul, name)
    t.match(title.ko ?? '', hangul, name)
  }
  t.ok(learningPath('two-hours').exercises.length >= 10, 'as many as the test of the class plays')
})

t.test('a path of the working directory replaces one of the same name', async (t) => {
  const cwd = t.testdir({
    labs: {
      exercises: { 'paths.yaml': '- { name: objects, title: { en: Mine }, exercises: [nobody-home] }' },
    },
  })
  t.equal(learningPath('objects', { cwd }).title.en, 'Mine')
  t.ok(learningPaths({ cwd }).some(({ name }) => name === 'two-hours'))
  t.throws(() => learningPath('two-hour', { cwd }), {
    message: /there is no learning path "two-hour"; did you mean "two-hours"\?/,
  })
})

t.test('problems of a path are reported with their positions', async (t) => {
  const path = (exercises: string) => `- name: mine\n  title: { en: Mine }\n  exercises: [${exercises}]\n`
  t.equal(problems(t, path('nobody-home, wrong-door')), '')
  for (const [yaml, message] of [
    [
      path('nobody-hom'),
      /^paths\.yaml:3:15: there is no exercise "nobody-hom"; did you mean "nobody-home"\?$/,
    ],
    [
      path('wrong-door, nobody-home'),
      /^paths\.yaml:3:15: "wrong-door" comes before its prerequisite "nobody-home"$/,
    ],
    [path('island, island'), /^paths\.yaml:3:23: "island" is already in this path$/],
    [path(''), /^paths\.yaml:3:\d+: "exercises".* must not be empty$/],
    ['- { nam: x }', /^paths\.yaml:1:5: unknown field "nam" in entry 1; did you mean "name"\?$/m],
    ['x: 1', /^paths\.yaml:1:1: a file of learning paths is a list$/],
  ] as const)
    t.match(problems(t, yaml), message)
})
