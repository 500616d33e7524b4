/** Sentences with their translations: both have the same slots. */
export type Phrases = Readonly<Record<string, string>>

/** Texts of one shape in a language: sentences, functions that put words into them, and groups of both. */
export interface TextTable {
  readonly [key: string]: string | ((...words: never[]) => string) | TextTable
}

/** Translates a sentence; undefined if it is none of the phrases. */
export type Translate = (sentence: string) => string | undefined

interface Form {
  readonly pattern: RegExp
  readonly slots: readonly string[]
  readonly translation: string
}

const slot = /\{(\w+)([*!]?)\}/g

/**
 * Translates whole sentences, or not at all. `{name}` in a phrase stands for one word, `{name*}` for several, and `{name!}`
 * for a phrase that is translated too: an unknown part leaves its sentence in the first language. Words after a sentence
 * (`{says!} (and {count} more)`) are tried first, then the phrase with the most words of its own.
 */
export function createPhrasebook(phrases: Phrases): Translate {
  // most programs that have a phrasebook translate nothing
  let forms: readonly Form[] | undefined
  const translate: Translate = (sentence) => {
    if (Object.hasOwn(phrases, sentence) && sentence.match(slot) === null) return phrases[sentence]
    forms ??= formsOf(phrases)
    for (const { pattern, slots, translation } of forms) {
      const found = pattern.exec(sentence)
      if (found === null) continue
      const words = slots.map((kind, index) => {
        const word = found[index + 1] ?? ''
        return kind.endsWith('!}') ? translate(word) : word
      })
      if (words.includes(undefined)) continue
      return translation.replaceAll(slot, (one) => words[slots.indexOf(one)] ?? '')
    }
    return undefined
  }
  return translate
}

/** The phrases with slots, in the order in which they are tried. */
function formsOf(phrases: Phrases): readonly Form[] {
  return Object.entries(phrases)
    .filter(([phrase]) => phrase.match(slot) !== null)
    .toSorted(
      ([one], [other]) =>
        Number(followsSentence(other)) - Number(followsSentence(one)) || ownLength(other) - ownLength(one),
    )
    .map(([phrase, translation]) => formOf(phrase, translation))
}

function followsSentence(phrase: string): boolean {
  return /^\{\w+!\}.*[^}]$/.test(phrase)
}

function ownLength(phrase: string): number {
  return phrase.replaceAll(slot, '').length
}

function formOf(phrase: string, translation: string): Form {
  const slots = [...phrase.matchAll(slot)].map(([one]) => one)
  const source = phrase
    .split(/(\{\w+[*!]?\})/)
    .map((part) => (slots.includes(part) ? (/[*!]\}$/.test(part) ? '(.+?)' : '(\\S+?)') : escaped(part)))
    .join('')
  return { pattern: new RegExp(`^${source}$`), slots, translation }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** The phrases of two tables of one shape; the words that a function is given are slots. */
export function phrasesOf(from: TextTable, to: TextTable): Phrases {
  const phrases: [string, string][] = Object.entries(from).flatMap(([key, text]) => {
    const other = to[key]
    if (typeof text === 'string') return typeof other === 'string' ? [[text, other]] : []
    if (typeof text === 'object')
      return typeof other === 'object' ? Object.entries(phrasesOf(text, other)) : []
    if (typeof other !== 'function') return []
    const slots = Array.from({ length: text.length }, (_, index) => `{${index}*}`) as never[]
    // one thing can have a text without its number: `the only endpoint`
    const ones = slots.map(() => 1) as never[]
    const single = text(...ones)
    return [
      [text(...slots), other(...slots)],
      ...(single.includes('1') ? [] : [[single, other(...ones)] satisfies [string, string]]),
    ]
  })
  return Object.fromEntries(phrases)
}
