import t from 'tap'
import { messages } from '../../../src/workshop/messages.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { listExercises } from '../../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import type { ExerciseTexts } from '../../../src/lab/workshop/types.js'
import { languages, type Language } from '../../../src/text/language.js'
import { otherSpellings } from '../../lessons/outline.js'
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
      t.strictSame(inOtherLanguage(paths, language), [], `${exercise.name} is in its language`)
      if (language !== 'ko') continue
      const spelled = paths.flatMap(([path, text]) => otherSpellings(text).map((name) => `${path}: ${name}`))
      t.strictSame(spelled, [], `${exercise.name} spells each name in one way`)
    }
  }
})

/** The paths of texts that are not in this language. */
function inOtherLanguage(texts: readonly (readonly [string, string])[], language: Language): string[] {
  return texts.flatMap(([path, text]) =>
    hangul.test(text) === (language === 'ko') ? [] : [`${language}${path}`],
  )
}

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
    const all = Object.values(texts)
    const within = all.flatMap(prose).filter(([, text]) => /\S.*\bvethlab /.test(text))
    t.strictSame(
      within.map(([path]) => path),
      [],
      `${name}: nothing before a command`,
    )
    const followed = all.flatMap(commands).filter((one) => / {2}|[.:,]$/.test(one))
    t.strictSame(followed, [], `${name}: nothing after a command`)
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
    t.strictSame(inOtherLanguage(own, language), [])
  }
})
