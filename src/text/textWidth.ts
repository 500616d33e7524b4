import { eastAsianWidth } from 'get-east-asian-width'

// Only vethlab's colour codes occur here: `printable` has escaped those in text from outside.
const COLOUR = /\x1b\[[0-9;]*m/g
const NARROWEST = /^(?:\p{Mn}|\p{Me}|\u200d)$/u

/** The width of a text in terminal columns: colour codes take none, East Asian characters and emoji two. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text.replace(COLOUR, '')) width += characterWidth(character)
  return width
}

/** Pads text with spaces to `width` columns; longer text is not changed. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** The same, with the spaces before the text. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text
}

/** Shortens text without colour codes to `width` columns; `…` replaces the end. */
export function cut(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${firstColumns(text, width - 1)}…`
}

/** Like `cut`, but shortens in the middle: the names of a Deployment's pods differ at the end. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  const characters = [...text]
  const end = firstColumns(characters.toReversed().join(''), Math.floor((width - 1) / 2))
  const start = firstColumns(text, width - 1 - textWidth(end))
  return `${start}…${[...end].toReversed().join('')}`
}

/**
 * Wraps words into lines of at most `width` columns. Lines after the first begin with `hang`; a wider word gets its
 * own line.
 */
export function wrap(words: readonly string[], width: number, between = ' ', hang = ''): string[] {
  const lines: string[] = []
  let line: string | undefined
  for (const word of words) {
    const longer: string = line === undefined ? word : `${line}${between}${word}`
    if (line !== undefined && textWidth(longer) > width) {
      lines.push(line)
      line = hang + word
    } else line = longer
  }
  return line === undefined ? lines : [...lines, line]
}

function firstColumns(text: string, width: number): string {
  let taken = ''
  let left = width
  for (const character of text) {
    left -= characterWidth(character)
    if (left < 0) break
    taken += character
  }
  return taken
}

function characterWidth(character: string): number {
  if (character < '\u0300') return 1
  return NARROWEST.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0)
}
