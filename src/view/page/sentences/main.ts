import { koreanOfAnswers } from '../../../diagnose/inLanguage.js'
import type { Language } from '../../../text/language.js'
import { createPhrasebook, type Translate } from '../../../text/phrasebook.js'
import { koreanOfPaths } from '../../path/korean.js'

/*
 * The script of sentences in other languages: a page loads it when one is chosen, and calls the function that it leaves.
 */

const phrasebooks: Readonly<Record<Exclude<Language, 'en'>, Translate>> = {
  ko: createPhrasebook({ ...koreanOfAnswers, ...koreanOfPaths }),
}

globalThis.sentenceIn = (text, language) => phrasebooks[language](text) ?? text
