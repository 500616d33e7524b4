import { computed } from '@preact/signals'
import type { Texts } from '../../class/api.js'
import { language } from '../language.js'
import type { Language } from '../../../text/language.js'
import { english, type ClassTexts } from './englishTexts.js'
import { korean } from './koreanTexts.js'

/** The texts of the pages of a class, by language: a text that is missing in one of them is an error of the compiler. */
const classTexts: Readonly<Record<Language, ClassTexts>> = { en: english, ko: korean }

/** The texts of the page in its language. */
export const say = computed(() => classTexts[language.value])

/** A text in the language of the page, or in English. */
export function inLanguage(texts: Texts): string {
  return texts[language.value] ?? texts.en
}
