import { computed } from '@preact/signals'
import type { Language } from '../../../text/language.js'
import { language } from '../language.js'
import { english, type PageTexts } from './english.js'
import { korean } from './korean.js'

/** By language: a text that is missing in one of them is an error of the compiler. */
const texts: Readonly<Record<Language, PageTexts>> = { en: english, ko: korean }

/** The texts of the page in its language. */
export const say = computed(() => texts[language.value])
