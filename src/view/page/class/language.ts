import { computed } from '@preact/signals'
import type { Texts } from '../../class/api.js'
import { language } from '../language.js'
import { classTexts } from './texts.js'

/** The texts of the page in its language. */
export const say = computed(() => classTexts[language.value])

/** A text in the language of the page, or in English. */
export function inLanguage(texts: Texts): string {
  return texts[language.value] ?? texts.en
}
