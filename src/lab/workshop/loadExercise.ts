import { basename, join, relative } from 'node:path'
import type { z } from 'zod'
import { InputError, type Problem } from '../../errors.js'
import { exists } from '../../host/paths.js'
import { checkSteps } from '../file/checkLab.js'
import { knownKeys, problemsOf } from '../file/explain.js'
import type { FindOptions } from '../file/findLab.js'
import { refuseForeignFile } from '../file/ownFiles.js'
import { readYaml, type YamlFile } from '../file/readYaml.js'
import { toStep } from '../file/toStep.js'
import { exerciseFileName, findExercise } from './findExercise.js'
import { refuseUnknownPrerequisites } from './prerequisites.js'
import { quizProblems, quizTranslationProblems } from './quizProblems.js'
import type { QuizInFile } from './quizSchema.js'
import { exerciseSchema, translationSchema, type ExerciseFile, type TranslationFile } from './schema.js'
import { languages, type Language } from '../../text/language.js'
import type { Exercise, ExerciseTexts, Quiz, QuizTexts } from './types.js'

/** Expectations that are evaluated with captured packets only. */
const byPackets = [
  'dnat',
  'snat',
  'nat',
  'answerFrom',
  'hops',
  'crosses',
  'avoids',
  'relayed',
  'paths',
] as const

/** A running lab keeps no captures, so checks that need them are invalid. */
function needsCaptures(checks: ExerciseFile['checks'], { keyAt }: YamlFile): Problem[] {
  return checks.flatMap(({ expect }, index) =>
    byPackets
      .filter((key) => Object.hasOwn(expect ?? {}, key))
      .map((key) => ({
        message: `"${key}" in check ${index + 1} needs captures, which an exercise does not have`,
        hint: 'check what the participant sees: an answer, clientAddress, servedBy, object',
        at: keyAt(['checks', index, 'expect', key]),
      })),
  )
}

/** Reads an exercise by name or path, with its translations. Throws InputError with all problems, in file order. */
export function loadExercise(nameOrPath: string, options: FindOptions = {}): Exercise {
  const directory = findExercise(nameOrPath, options)
  const cwd = options.cwd ?? process.cwd()
  const file = readFile(directory, exerciseFileName, cwd)
  const given = parse(file, exerciseSchema, exerciseProblems)
  refuseUnknownPrerequisites(given, basename(directory), file, options)
  const quizzes = given.quizzes ?? []
  const english = {
    ...textsOf(given),
    checks: Object.fromEntries(given.checks.map(({ name, says }) => [name, says.trim()])),
    quizzes: quizTexts(Object.fromEntries(quizzes.map((quiz) => [quiz.name, quiz]))),
  }
  return {
    name: basename(directory),
    directory,
    level: given.level,
    minutes: given.minutes,
    prerequisites: given.prerequisites ?? [],
    faults: (given.faults ?? []).map((step, index) => toStep(step, ['faults', index])),
    checks: given.checks.map(({ guard = false, ...step }, index) => ({
      name: step.name,
      guard,
      step: toStep(step, ['checks', index]),
    })),
    quizzes: quizzes.map(toQuiz),
    solution: given.solution,
    causes: given.causes ?? [],
    texts: { ...translations(directory, cwd, english), en: english },
    at: file.at,
  }
}

function toQuiz(quiz: QuizInFile, index: number): Quiz {
  const { name } = quiz
  if ('answer' in quiz) return { kind: 'choice', name, answer: quiz.answer - 1 }
  const { at, after, protocol = 'tcp', ...request } = quiz.predict
  return { kind: 'predict', name, index, at, after, request: { protocol, ...request } }
}

function quizTexts(given: Readonly<Record<string, QuizTexts>>): Record<string, QuizTexts> {
  return Object.fromEntries(
    Object.entries(given).map(([name, { ask, options, because }]) => [
      name,
      {
        ...(ask === undefined ? {} : { ask: ask.trim() }),
        ...(options === undefined ? {} : { options }),
        because: because.trim(),
      },
    ]),
  )
}

/** Name of the file with the texts of an exercise in a language. */
function translationFileName(language: Language): string {
  return exerciseFileName.replace('.yaml', `.${language}.yaml`)
}

function translations(
  directory: string,
  cwd: string,
  english: ExerciseTexts,
): Partial<Record<Language, ExerciseTexts>> {
  const found = languages.filter((language) => exists(join(directory, translationFileName(language))))
  return Object.fromEntries(
    found.map((language) => {
      const file = readFile(directory, translationFileName(language), cwd)
      const given = parse(file, translationSchema, (_file, value) =>
        translationProblems(value, english, file),
      )
      const texts = {
        ...textsOf(given),
        checks: trimmed(given.checks),
        quizzes: quizTexts(given.quizzes ?? {}),
      }
      return [language, texts]
    }),
  )
}

function textsOf({ title, task, hints, why, remember }: ExerciseFile | TranslationFile) {
  const text = { title, task: task.trim(), why: why.trim(), remember: remember.trim() }
  return { ...text, hints: hints.map((hint) => hint.trim()) }
}

function trimmed(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]))
}

function readFile(directory: string, name: string, cwd: string): YamlFile {
  const path = join(directory, name)
  const short = relative(cwd, path)
  const shown = short.startsWith('..') ? path : short
  refuseForeignFile(path, directory, shown)
  return readYaml(path, shown)
}

function parse<Schema extends z.ZodType>(
  file: YamlFile,
  schema: Schema,
  more: (file: YamlFile, value: z.output<Schema> | undefined) => readonly Problem[],
): z.output<Schema> {
  if (typeof file.value !== 'object' || file.value === null || Array.isArray(file.value))
    throw new InputError([
      { message: 'an exercise file is a mapping (title, task, checks, …)', at: file.at([]) },
    ])
  const parsed = schema.safeParse(file.value, { error: knownKeys, jitless: true })
  const problems = [...(parsed.success ? [] : problemsOf(parsed.error, file)), ...more(file, parsed.data)]
  if (problems.length > 0 || !parsed.success) throw new InputError(problems)
  return parsed.data
}

/** Problems that the schema does not find. Checks raw values, so that all problems are reported at once. */
function exerciseProblems(file: YamlFile, given: ExerciseFile | undefined): Problem[] {
  const raw = file.value as Readonly<Record<string, unknown>>
  const steps = (key: string) => (Array.isArray(raw[key]) ? (raw[key] as unknown[]) : [])
  const place = { hasClient: true, file }
  return [
    ...checkSteps(steps('faults'), { ...place, key: 'faults' }),
    ...checkSteps(steps('checks').map(withoutWords), { ...place, key: 'checks' }),
    ...needsCaptures(given?.checks ?? [], file),
    ...quizProblems(given?.quizzes ?? [], file),
    ...twins(given?.checks.map(({ name }) => name) ?? []).map((index) => ({
      message: `there are two checks named "${given?.checks[index]?.name ?? ''}"`,
      at: file.at(['checks', index, 'name']),
    })),
    ...(given !== undefined && given.checks.every(({ guard }) => guard === true)
      ? [
          {
            message: 'every check is a guard: the exercise would be solved from the start',
            at: file.at(['checks']),
          },
        ]
      : []),
  ]
}

/** The step of a check. */
function withoutWords(check: unknown): unknown {
  if (typeof check !== 'object' || check === null) return check
  return Object.fromEntries(Object.entries(check).filter(([key]) => key !== 'says' && key !== 'guard'))
}

function twins(names: readonly string[]): number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
}

/** A translation has the same checks and as many hints as the original. */
function translationProblems(
  given: TranslationFile | undefined,
  { checks, hints, quizzes }: ExerciseTexts,
  file: YamlFile,
): Problem[] {
  if (given === undefined) return []
  const { at, keyAt } = file
  const missing = Object.keys(checks).filter((name) => !Object.hasOwn(given.checks, name))
  const unknown = Object.keys(given.checks).filter((name) => !Object.hasOwn(checks, name))
  return [
    ...missing.map((name) => ({ message: `the check "${name}" is not translated`, at: at(['checks']) })),
    ...unknown.map((name) => ({
      message: `the exercise has no check "${name}"`,
      at: keyAt(['checks', name]),
    })),
    ...quizTranslationProblems(given.quizzes ?? {}, quizzes, file),
    ...(given.hints.length === hints.length
      ? []
      : [
          {
            message: `there are ${given.hints.length} hints here, and ${hints.length} in ${exerciseFileName}`,
            at: at(['hints']),
          },
        ]),
  ]
}
