import { InputError } from '../errors.js'
import { userFile } from '../host/userState.js'
import { loadExercise } from '../lab/workshop/loadExercise.js'
import { noProgress, progressSchema, type Attempt, type Progress } from '../lab/workshop/progress.js'
import type { Exercise } from '../lab/workshop/types.js'
import type { Language } from '../text/language.js'
import type { OnHolder } from '../up/holder.js'
import { messages, type Messages } from './messages.js'

/** The exercises of one owner: progress in a file, and texts in a language. */
export interface Workshop {
  /** Empty without `--as`. */
  readonly owner: string
  readonly language: Language
  readonly say: Messages
  /** As it was saved last. Throws InputError if the file is not valid. */
  readonly progress: () => Progress
  readonly save: (progress: Progress) => void
  /** Limits what the process that holds a lab uses; absent without limits. */
  readonly onHolder?: OnHolder | undefined
}

/** A started exercise and its progress. */
export interface Begun {
  readonly exercise: Exercise
  readonly attempt: Attempt
}

/** Opens the workshop of an owner. */
export function openWorkshop(owner: string, language: Language): Workshop {
  const file = userFile(owner === '' ? 'workshop.json' : `workshop-${owner}.json`)
  return {
    ...{ owner, language, say: messages[language] },
    progress: () => readProgress(file),
    save: (progress) => file.write(`${JSON.stringify(progress, null, 2)}\n`),
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
export function begunExercise({ progress, say }: Workshop, wanted?: string): Begun {
  const { current, exercises } = progress()
  const name = wanted ?? current
  if (name === undefined) throw new InputError([{ message: say.nothingStarted, hint: say.seeList }])
  const attempt = exercises[name]
  if (attempt !== undefined) return { exercise: loadExercise(attempt.directory), attempt }
  const exercise = loadExercise(name)
  throw new InputError([{ message: say.neverStarted(exercise.name), hint: say.startAgain(exercise.name) }])
}
