import t from 'tap'
import { messages } from '../../../src/commands/workshop/messages.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { languages } from '../../../src/lab/workshop/types.js'

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

t.test('commands and addresses in a translated task are those of the original', async (t) => {
  const commands = (text = '') => [...text.matchAll(/ {4}(vethlab .*?)(?: {2,}|$)/gm)].map(([, one]) => one)
  for (const directory of listExercises()) {
    const { name, texts } = loadExercise(directory)
    t.strictSame(commands(texts.ko?.task), commands(texts.en.task), name)
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
