import type { Language } from '../text/language.js'
import { createPhrasebook, type Phrases, type Translate } from '../text/phrasebook.js'
import { koreanOfTrace } from '../trace/text/inLanguage.js'
import { answers } from './korean/answers.js'
import { comparisons } from './korean/comparisons.js'
import { facts } from './korean/facts.js'
import { hosts } from './korean/hosts.js'
import { notices } from './korean/notices.js'
import { policies } from './korean/policies.js'
import { reach } from './korean/reach.js'
import { services } from './korean/services.js'

/** Sentences of answers, with their Korean translations. */
export const koreanOfAnswers: Phrases = {
  ...koreanOfTrace,
  ...answers,
  ...services,
  ...hosts,
  ...policies,
  ...facts,
  ...notices,
  ...reach,
  ...comparisons,
}

const translations: Readonly<Record<Language, Translate>> = {
  en: (sentence) => sentence,
  ko: createPhrasebook(koreanOfAnswers),
}

/** A sentence or a label of an answer; in English if it has no translation, never in two languages. */
export function inLanguage(sentence: string, language: Language): string {
  return translations[language](sentence) ?? sentence
}
