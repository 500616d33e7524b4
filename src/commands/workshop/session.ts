import { callerOwner } from '../../host/owner.js'
import type { Exercise, ExerciseTexts } from '../../lab/workshop/types.js'
import { createColours, type Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { reflow } from '../../text/reflow.js'
import { openWorkshop, type Workshop } from '../../workshop/workshop.js'
import { chosenLanguage } from '../options.js'
import { printColoured } from '../output.js'
import { terminal } from '../terminal.js'

/** Longer lines are hard to read. */
const widest = 100

/** What every command of the workshop uses. */
export interface Session extends Workshop {
  readonly colours: Colours
  /** The texts of an exercise in the language of the session, or in English if it is not translated. */
  readonly words: (exercise: Exercise) => ExerciseTexts
  /** Wraps a text for this terminal; lines after the first are indented. */
  readonly prose: (text: string, indent?: number) => string
  readonly print: (text: string) => void
}

/** Opens the workshop of this user, in the requested language or in that of the environment. */
export function openSession(requested: Language | undefined): Session {
  const language = chosenLanguage(requested)
  const { colour, width } = terminal()
  return {
    ...openWorkshop(callerOwner(), language),
    colours: createColours(colour),
    words: ({ texts }) => texts[language] ?? texts.en,
    prose: (text, indent = 0) =>
      reflow(text, Math.min(width, widest) - indent).replaceAll('\n', `\n${' '.repeat(indent)}`),
    print: (text) => printColoured(`${text}\n`),
  }
}
