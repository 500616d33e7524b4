import { ACTS_ON_TERMINALS } from '../text/printable.js'

/** Indented JSON in which DEL, C1 and format characters are escaped too, because they act on terminals. */
export function jsonText(value: unknown, indent = 2): string {
  return `${JSON.stringify(value, undefined, indent).replace(ACTS_ON_TERMINALS, escaped)}\n`
}

function escaped(character: string): string {
  if (character === '\n') return character
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
