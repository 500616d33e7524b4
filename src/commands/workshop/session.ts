import { InputError } from '../../errors.js'
import { userFile } from '../../host/userState.js'
import { loadExercise } from '../../lab/workshop/loadExercise.js'
import { noProgress, progressSchema, type Attempt, type Progress } from '../../lab/workshop/progress.js'
import type { Exercise, ExerciseTexts } from '../../lab/workshop/types.js'
import { createColours, type Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { reflow } from '../../text/reflow.js'
import { chosenLanguage } from '../options.js'
import { terminal } from '../terminal.js'
import { messages, type Messages } from './messages.js'
import { printColoured } from '../output.js'

/** Longer lines are hard to read. */
const widest = 100

/** What every command of the workshop uses. */
export interface Session {
  readonly say: Messages
  readonly colours: Colours
  readonly progress: Progress
  /** The texts of an exercise in the language of the session, or in English if it is not translated. */
  readonly words: (exercise: Exercise) => ExerciseTexts
  /** Wraps a text for this terminal; lines after the first are indented. */
  readonly prose: (text: string, indent?: number) => string
  readonly save: (progress: Progress) => void
  readonly print: (text: string) => void
}

/** A started exercise and its progress. */
export interface Begun {
  readonly exercise: Exercise
  readonly attempt: Attempt
}

/** Opens the workshop of this user, in the requested language or in that of the environment. */
export function openSession(requested: Language | undefined): Session {
  const language = chosenLanguage(requested)
  const { colour, width } = terminal()
  const file = userFile('workshop.json')
  return {
    say: messages[language],
    colours: createColours(colour),
    progress: readProgress(file),
    words: ({ texts }) => texts[language] ?? texts.en,
    prose: (text, indent = 0) =>
      reflow(text, Math.min(width, widest) - indent).replaceAll('\n', `\n${' '.repeat(indent)}`),
    save: (progress) => file.write(`${JSON.stringify(progress, null, 2)}\n`),
    print: (text) => printColoured(`${text}\n`),
  }
}

function readProgress({ path, read }: ReturnType<typeof userFile>): Progress {
  const text = read()
  if (text === undefined) return noProgress
  try {
    return progressSchema.parse(JSON.parse(text))
  } catch {
    throw new InputError([
      {
        message: `${path} was not written by the workshop`,
        hint: 'delete it to start with no exercise solved',
      },
    ])
  }
}

/** The exercise with a name, or the one started last. Throws InputError if it was never started. */
export function begunExercise({ progress, say }: Session, name = progress.current): Begun {
  if (name === undefined) throw new InputError([{ message: say.nothingStarted, hint: say.seeList }])
  const attempt = progress.exercises[name]
  if (attempt !== undefined) return { exercise: loadExercise(attempt.directory), attempt }
  const exercise = loadExercise(name)
  throw new InputError([{ message: say.neverStarted(exercise.name), hint: say.startAgain(exercise.name) }])
}
