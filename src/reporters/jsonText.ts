import { ACTS_ON_TERMINALS } from '../text/printable.js'

/** JSON with two spaces of indent, or as many as are wanted, in which nothing acts on a terminal: JSON itself leaves DEL, C1 and format characters as they are. */
export function jsonText(value: unknown, indent = 2): string {
  return `${JSON.stringify(value, undefined, indent).replace(ACTS_ON_TERMINALS, escaped)}\n`
}

function escaped(character: string): string {
  if (character === '\n') return character
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
