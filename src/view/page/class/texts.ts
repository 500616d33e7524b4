import type { Language } from '../../../text/language.js'
import { english, type ClassTexts } from './englishTexts.js'
import { korean } from './koreanTexts.js'

/** The texts of the pages of a class, by language: a text that is missing in one of them is an error of the compiler. */
export const classTexts: Readonly<Record<Language, ClassTexts>> = { en: english, ko: korean }
