import { textWidth } from './textWidth.js'

/**
 * Wraps paragraphs at `width` columns. Lines that begin with a space are commands: they are not changed, so that they
 * can be copied. Text in backticks is not broken.
 */
export function reflow(text: string, width: number): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      blocks(paragraph.split('\n'))
        .map((block) => wrapBlock(block, width))
        .join('\n'),
    )
    .join('\n\n')
}

/** The lines of a paragraph: each command alone, and the prose between. */
function blocks(lines: readonly string[]): string[] {
  const found: string[] = []
  let inProse = false
  for (const line of lines) {
    const isProse = !line.startsWith(' ')
    if (isProse && inProse) found[found.length - 1] += ` ${line}`
    else found.push(line)
    inProse = isProse
  }
  return found
}

function wrapBlock(block: string, width: number): string {
  return block.startsWith(' ') ? block : wrapWords(block.match(word) ?? [], width)
}

/** What a line break does not divide: characters without a space, and text in backticks. */
const word = /(?:`[^`]*`|\S)+/g

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
