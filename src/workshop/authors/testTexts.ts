import { InputError } from '../../errors.js'
import { placeOf } from '../../names/placeOf.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import { askedQuizzes } from '../../lab/workshop/quizzes.js'
import type { Exercise, ExerciseTexts } from '../../lab/workshop/types.js'
import { languages, type Language } from '../../text/language.js'
import { reflow } from '../../text/reflow.js'
import { commandsIn, linesToCopy, needsShell } from './commandsIn.js'
import type { Finding } from './finding.js'
import { faultWords } from './faultWords.js'

/** What a text has if it is in a language; a text of commands and code only is in every one. */
const letters: Readonly<Record<Language, RegExp>> = { en: /[a-z]/i, ko: /[가-힣]/ }

/** Checks the files of an exercise, which has been loaded and prepared; starts nothing. `verbs` are the commands of vethlab. */
export function testTexts(
  exercise: Exercise,
  prepared: PreparedLab,
  verbs: readonly string[],
): readonly Finding[] {
  const { hints, checks, quizzes } = exercise.texts.en
  const counts = [
    `${Object.keys(checks).length} checks`,
    `${hints.length} hints`,
    `${Object.keys(quizzes).length} questions`,
  ]
  return [
    {
      what: `texts in ${languages.join(' and ')}: ${counts.join(', ')}`,
      problems: languageProblems(exercise),
    },
    {
      what: 'texts can be shown: no stray backticks, questions have answers',
      problems: showProblems(exercise),
    },
    {
      what: `commands in task, hints and reason: ${commandTexts(exercise.texts.en).flatMap(commandsIn).length}`,
      problems: commandProblems(exercise, prepared, verbs),
    },
    {
      what: 'title and name have no word that only fault and solution have',
      problems: revealingProblems(exercise, prepared),
    },
  ]
}

/** The texts that people read, with what they are. */
function parts(texts: ExerciseTexts): readonly (readonly [what: string, text: string])[] {
  const { title, task, hints, why, remember, checks, quizzes } = texts
  return [
    ...Object.entries({ title, task, why, remember }),
    ...hints.map((hint, index) => [`hint ${index + 1}`, hint] as const),
    ...Object.entries(checks).map(([name, says]) => [`the text of the check "${name}"`, says] as const),
    ...Object.entries(quizzes).map(
      ([name, { because }]) => [`the reason of question "${name}"`, because] as const,
    ),
  ]
}

function languageProblems({ texts }: Exercise): string[] {
  return languages.flatMap((language) => {
    const own = texts[language]
    if (own === undefined) return [`exercise.${language}.yaml is missing: the texts in another language`]
    return parts(own).flatMap(([what, text]) => {
      const prose = text.replaceAll(/^ .*$/gm, '').replaceAll(/`[^`]*`/g, '')
      return /\p{L}{2}/u.test(prose) && !letters[language].test(prose)
        ? [`${what} is not in "${language}"`]
        : []
    })
  })
}

function showProblems(exercise: Exercise): string[] {
  return languages.flatMap((language) => {
    const own = exercise.texts[language]
    if (own === undefined) return []
    const stray = parts(own).flatMap(([what, text]) => {
      const isShown = /\S/.test(reflow(text, 80))
      const isEven = text.split('`').length % 2 === 1
      return [
        ...(isShown ? [] : [`${what} (${language}) is empty`]),
        ...(isEven ? [] : [`${what} (${language}) has a backtick without its partner`]),
        ...(text.includes('\t') ? [`${what} (${language}) has a tab: indent commands with spaces`] : []),
      ]
    })
    return [...stray, ...askProblems(exercise, language)]
  })
}

function askProblems(exercise: Exercise, language: Language): string[] {
  try {
    return askedQuizzes(exercise, language).flatMap(({ name, options, answer }) =>
      options[answer] === undefined ? [`the question "${name}" (${language}) has no right answer`] : [],
    )
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n')
    throw error
  }
}

/** The texts in which a participant may find commands. */
function commandTexts({ task, hints, why, remember }: ExerciseTexts): readonly string[] {
  return [task, ...hints, why, remember]
}

function commandProblems(exercise: Exercise, prepared: PreparedLab, verbs: readonly string[]): string[] {
  const { texts, solution } = exercise
  const english = commandTexts(texts.en).flatMap(commandsIn)
  const wrong = [...english, ...solution].flatMap(
    (command) => problemOf(command, exercise.name, prepared, verbs) ?? [],
  )
  const unquoted = solution.flatMap((command) =>
    needsShell(command) ? [`\`${command}\` needs a shell: a solution has one command in a line`] : [],
  )
  const lines = (own: ExerciseTexts) => commandTexts(own).flatMap(linesToCopy)
  const others = languages.flatMap((language) => {
    const own = texts[language] ?? texts.en
    const missing = lines(texts.en).filter((line) => !lines(own).includes(line))
    const more = lines(own).filter((line) => !lines(texts.en).includes(line))
    return [
      ...missing.map((line) => `exercise.${language}.yaml does not have the command \`${line}\``),
      ...more.map(
        (line) => `exercise.yaml does not have the command \`${line}\` of exercise.${language}.yaml`,
      ),
    ]
  })
  return [...wrong, ...unquoted, ...others]
}

function problemOf(
  command: string,
  name: string,
  { names, topology }: PreparedLab,
  verbs: readonly string[],
): string | undefined {
  const [, verb = '', lab = '', place = ''] = command.split(/ +/)
  if (!verbs.includes(verb)) return `\`${command}\`: there is no command "${verb}"`
  if (verb === 'workshop') return undefined
  if (lab !== name) return `\`${command}\` names the lab "${lab}", and the exercise is "${name}"`
  // a word to be filled in by the participant
  if (!['exec', 'shell'].includes(verb) || /^[A-Z]+$/.test(place)) return undefined
  try {
    placeOf(names, topology.places, place)
    return undefined
  } catch (error) {
    if (error instanceof InputError) return `\`${command}\`: ${error.message}`
    throw error
  }
}

function revealingProblems(exercise: Exercise, { lab }: PreparedLab): string[] {
  const titles = languages.flatMap((language) => {
    const title = exercise.texts[language]?.title
    return title === undefined ? [] : [[`the title (${language})`, title] as const]
  })
  const shown = [
    ['the name', exercise.name] as const,
    ...titles,
    ['the title of the lab', lab.title] as const,
  ]
  return shown.flatMap(([what, text]) => {
    const found = faultWords(exercise, text)
    return found.length === 0
      ? []
      : [
          `${what} reveals the fault: ${found.map((word) => `"${word}"`).join(', ')} is in fault or solution, not in the task`,
        ]
  })
}
