import type { Problem } from '../../errors.js'
import type { YamlFile } from '../file/readYaml.js'
import type { QuizInFile, QuizTranslation } from './quizSchema.js'
import type { QuizTexts } from './types.js'

/** Problems of the questions of exercise.yaml that the schema does not find. */
export function quizProblems(quizzes: readonly QuizInFile[], { at }: YamlFile): Problem[] {
  return quizzes.flatMap((quiz, index): Problem[] => {
    const { name } = quiz
    const isSecond = quizzes.findIndex((other) => other.name === name) < index
    return [
      ...(isSecond
        ? [{ message: `there are two questions named "${name}"`, at: at(['quizzes', index, 'name']) }]
        : []),
      ...('answer' in quiz && quiz.answer > quiz.options.length
        ? [
            {
              message: `"answer" of the question "${name}" is ${quiz.answer}, but there are ${quiz.options.length} options`,
              at: at(['quizzes', index, 'answer']),
            },
          ]
        : []),
    ]
  })
}

/** A translation has the same questions as the original, each with as many options. */
export function quizTranslationProblems(
  given: Readonly<Record<string, QuizTranslation>>,
  quizzes: Readonly<Record<string, QuizTexts>>,
  { at, keyAt }: YamlFile,
): Problem[] {
  const missing = Object.keys(quizzes).filter((name) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(quizzes, name))
  return [
    ...missing.map((name) => ({ message: `the question "${name}" is not translated`, at: at(['quizzes']) })),
    ...unknown.map((name) => ({
      message: `the exercise has no question "${name}"`,
      at: keyAt(['quizzes', name]),
    })),
    ...Object.entries(given).flatMap(([name, { ask, options }]): Problem[] => {
      const original = quizzes[name]
      if (original === undefined) return []
      const place = () => at(['quizzes', name])
      if ((original.ask === undefined) !== (ask === undefined))
        return [
          {
            message: `the question "${name}" ${ask === undefined ? 'has no "ask"' : 'has "ask", but its text is generated'}`,
            at: place(),
          },
        ]
      return options === undefined || options.length === original.options?.length
        ? []
        : [
            {
              message: `the question "${name}" has ${options.length} options here, and ${original.options?.length ?? 'no'} in exercise.yaml`,
              at: place(),
            },
          ]
    }),
  ]
}
