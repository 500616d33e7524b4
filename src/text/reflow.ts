import { textWidth } from './textWidth.js'

/**
 * Sets prose in lines of at most so many columns. Paragraphs are kept, and so are those with lines that begin with a space,
 * as commands do.
 */
export function reflow(text: string, width: number): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => (/^ /m.test(paragraph) ? paragraph : wrapWords(paragraph.split(/\s+/), width)))
    .join('\n\n')
}

function wrapWords(words: readonly string[], width: number): string {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    const longer = line === undefined ? word : `${line} ${word}`
    if (line !== undefined && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}
