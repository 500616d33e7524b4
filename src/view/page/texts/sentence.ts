import { effect, signal } from '@preact/signals'
import type { Language } from '../../../text/language.js'
import { language } from '../language.js'
import { loadScript } from '../live/loadScript.js'

declare global {
  /** What the script of sentences leaves: a sentence in a language; in English if it has no translation. */
  var sentenceIn: ((text: string, language: Exclude<Language, 'en'>) => string) | undefined
}

const inEnglish = (text: string) => text

/** A sentence of an answer, such as how a path ends, in the language of the page; one without a translation is in English. */
export const sentence = signal<(text: string) => string>(inEnglish)

/** Translates sentences from now on, whenever another language is chosen. */
export function followSentences(): void {
  const nonce = document.querySelector('script')?.nonce ?? ''
  effect(() => {
    const now = language.value
    sentence.value = inEnglish
    if (now === 'en') return
    void loadScript('/sentences.js', nonce, () => globalThis.sentenceIn).then(
      (translated) => {
        if (language.peek() === now) sentence.value = (text) => translated(text, now)
      },
      () => undefined, // sentences stay in English
    )
  })
}
