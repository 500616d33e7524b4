import type { Language } from '../../text/language.js'
import { createPhrasebook, type Phrases, type Translate } from '../../text/phrasebook.js'
import { ends } from './korean/ends.js'
import { notes } from './korean/notes.js'
import { rules } from './korean/rules.js'

/** Sentences of predictions, with their Korean translations. */
export const koreanOfTrace: Phrases = { ...rules, ...notes, ...ends }

const translations: Readonly<Record<Language, Translate>> = {
  en: (sentence) => sentence,
  ko: createPhrasebook(koreanOfTrace),
}

/** A sentence of a prediction; in English if it has no translation, never in two languages. */
export function inLanguage(sentence: string, language: Language): string {
  return translations[language](sentence) ?? sentence
}
