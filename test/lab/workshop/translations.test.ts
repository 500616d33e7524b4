import t from 'tap'
import { messages } from '../../../src/workshop/messages.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import type { ExerciseTexts } from '../../../src/lab/workshop/types.js'
import { languages } from '../../../src/text/language.js'
import { hangul, textsIn } from '../../text/textsIn.js'

t.test('every exercise is there in every language, piece by piece', async (t) => {
  const all = listExercises().map((directory) => loadExercise(directory))
  t.ok(all.length > 0)
  for (const exercise of all) {
    for (const language of languages) {
      const own = exercise.texts[language]
      t.ok(own !== undefined, `${exercise.name} in ${language}`)
      const paths = textsIn(own ?? {})
      t.strictSame(
        paths.map(([path]) => path).sort(),
        textsIn(exercise.texts.en)
          .map(([path]) => path)
          .sort(),
      )
      for (const [path, text] of paths)
        t.equal(hangul.test(text), language === 'ko', `${exercise.name} ${language}${path}`)
    }
  }
})

/** The texts of an exercise in which a participant may find commands, by path. */
function prose({ task, hints, why, remember }: ExerciseTexts): [string, string][] {
  return textsIn({ task, hints, why, remember })
}

/** Lines that begin with a space: the commands, in their order. */
function commands(given: ExerciseTexts): string[] {
  return prose(given).flatMap(([, text]) => [...text.matchAll(/^ +(.*)$/gm)].map(([, one = '']) => one))
}

t.test('every task or hint has a command to try', async (t) => {
  for (const directory of listExercises()) {
    const { name, texts } = loadExercise(directory)
    t.ok(
      commands(texts.en).some((one) => one.startsWith(`vethlab exec ${name} `)),
      name,
    )
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
    const own = textsIn(messages[language])
    t.strictSame(
      own.map(([path]) => path),
      textsIn(messages.en).map(([path]) => path),
    )
    for (const [path, text] of own) t.equal(hangul.test(text), language === 'ko', `${language}${path}`)
  }
})
