import t from 'tap'
import { messages } from '../../../src/commands/workshop/messages.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { languages, type ExerciseTexts } from '../../../src/lab/workshop/types.js'

/** Every text of a value, by its path; what a function says is its text with something in each place. */
function texts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return texts((value as (...args: unknown[]) => unknown)('x', 1, 2), path)
  return Object.entries(value as object).flatMap(([key, inner]) => texts(inner, `${path}.${key}`))
}

const korean = /\p{Script=Hangul}/u

t.test('every exercise is there in every language, piece by piece', async (t) => {
  const all = listExercises().map((directory) => loadExercise(directory))
  t.ok(all.length > 0)
  for (const exercise of all) {
    for (const language of languages) {
      const own = exercise.texts[language]
      t.ok(own !== undefined, `${exercise.name} in ${language}`)
      const paths = texts(own ?? {})
      t.strictSame(
        paths.map(([path]) => path).sort(),
        texts(exercise.texts.en)
          .map(([path]) => path)
          .sort(),
      )
      for (const [path, text] of paths)
        t.equal(korean.test(text), language === 'ko', `${exercise.name} ${language}${path}`)
    }
  }
})

/** The texts of an exercise in which a participant may find commands, by path. */
function prose({ task, hints, why, remember }: ExerciseTexts): [string, string][] {
  return texts({ task, hints, why, remember })
}

/** Lines that begin with a space: the commands, in their order. */
function commands(given: ExerciseTexts): string[] {
  return prose(given).flatMap(([, text]) => [...text.matchAll(/^ +(.*)$/gm)].map(([, one = '']) => one))
}

t.test('commands are the same in every language', async (t) => {
  for (const directory of listExercises()) {
    const { name, texts } = loadExercise(directory)
    t.ok(
      commands(texts.en).some((one) => one.startsWith(`vethlab exec ${name} `)),
      name,
    )
    for (const own of Object.values(texts)) t.strictSame(commands(own), commands(texts.en), name)
  }
})

t.test('a command is on a line of its own, so that it can be copied', async (t) => {
  for (const directory of listExercises()) {
    const { name, texts } = loadExercise(directory)
    for (const own of Object.values(texts)) {
      for (const [path, text] of prose(own)) t.notMatch(text, /\S.*\bvethlab /, `${name}${path}`)
      for (const one of commands(own)) t.notMatch(one, / {2}|[.:,]$/, `${name}: nothing after "${one}"`)
    }
  }
})

t.test('the title of the lab is that of the exercise, which describes what is seen', async (t) => {
  for (const directory of listExercises()) {
    const { name, texts } = loadExercise(directory)
    t.equal(loadLab(directory).title, `Exercise: ${texts.en.title}`, name)
  }
})

t.test('the workshop itself says everything in every language', async (t) => {
  for (const language of languages) {
    const own = texts(messages[language])
    t.strictSame(
      own.map(([path]) => path),
      texts(messages.en).map(([path]) => path),
    )
    for (const [path, text] of own) t.equal(korean.test(text), language === 'ko', `${language}${path}`)
  }
})
