/** A part of a text: prose, whose pieces in backticks are code, or an indented line. */
export type Block =
  | { readonly kind: 'prose'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }

export interface Piece {
  readonly text: string
  /** True for text in backticks. */
  readonly isCode: boolean
}

/** The paragraphs of a task, a hint or a reason, as the command line wraps them: lines that begin with a space are commands. */
export function proseOf(text: string): readonly Block[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .flatMap((paragraph) => blocksOf(paragraph.split('\n')))
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: { isCommand: boolean; lines: string[] }[] = []
  for (const line of lines) {
    const isCommand = line.startsWith(' ')
    const last = blocks.at(-1)
    if (last?.isCommand === isCommand) last.lines.push(line.trim())
    else blocks.push({ isCommand, lines: [line.trim()] })
  }
  return blocks.map((block) =>
    block.isCommand
      ? { kind: 'commands', lines: block.lines }
      : { kind: 'prose', pieces: piecesOf(block.lines.join(' ')) },
  )
}

function piecesOf(text: string): Piece[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
