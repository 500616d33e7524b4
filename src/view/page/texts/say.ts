import { computed, signal } from '@preact/signals'
import { language } from '../language.js'
import { english, type PageTexts } from './english.js'

/** The Korean texts, in a page that has them. */
export const inKorean = signal<PageTexts | undefined>(undefined)

/** The texts of the page in its language. */
export const say = computed(() => (language.value === 'ko' ? (inKorean.value ?? english) : english))
