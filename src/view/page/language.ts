import { effect, signal } from '@preact/signals'
import { languages, type Language } from '../../text/language.js'

/** The name under which this browser keeps the language. */
const key = 'vethlab-language'

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어' }

/** The language of the page; a page that does not follow it, such as a report, is in English. */
export const language = signal<Language>('en')

/** Uses a language from now on, and in this browser the next time. */
export function chooseLanguage(next: Language): void {
  language.value = next
  try {
    localStorage.setItem(key, next)
  } catch {
    // the browser keeps nothing
  }
}

/**
 * Uses the language that was chosen, here or in another page of the server, or that of the browser. The document names it for
 * screen readers, hyphenation and fonts.
 */
export function followLanguage(): void {
  language.value = stored() ?? ofBrowser()
  // an event of other pages, such as the one that has this one in a frame
  addEventListener('storage', (event) => {
    if (event.key === key) language.value = known(event.newValue) ?? language.value
  })
  effect(() => {
    document.documentElement.lang = language.value
  })
}

function stored(): Language | undefined {
  try {
    return known(localStorage.getItem(key))
  } catch {
    return undefined
  }
}

function known(text: string | null): Language | undefined {
  return languages.find((one) => one === text)
}

function ofBrowser(): Language {
  const tags = navigator.languages.map((tag) => tag.split('-')[0])
  return languages.find((one) => one === tags.find((tag) => languages.some((known) => known === tag))) ?? 'en'
}
