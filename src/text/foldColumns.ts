import { textWidth, wrap } from './textWidth.js'

/** Spaces before the columns of a row that continue on another line. */
const hang = 4

/** A last column is wrapped beside the others if it has this many columns of the terminal; otherwise it continues below. */
const narrowest = 20

interface Band {
  readonly from: number
  readonly until: number
  readonly indent: number
}

interface FoldOptions {
  readonly gap: number
  readonly indent: number
  readonly width: number
  /** The widest part of the last column that is not broken. */
  readonly lastWord: number
}

/**
 * Divides the columns of a table that is wider than `width` into bands: a row prints its bands one below the other. Only
 * the last cell of a band is wrapped, at spaces and after commas.
 */
export function foldColumns(
  widths: readonly number[],
  { gap, indent, width, lastWord }: FoldOptions,
): Band[] {
  const bands: Band[] = []
  let from = 0
  let used = indent
  let start = indent
  for (const [column, own] of widths.entries()) {
    const at = column === from ? start : used + gap
    const isLast = column === widths.length - 1
    const fits = at + own <= width || (isLast && width - at >= Math.max(narrowest, lastWord))
    if (!fits && column > from) {
      bands.push({ from, until: column, indent: start })
      from = column
      start = indent + hang
      used = start + own
    } else used = at + own
  }
  return [...bands, { from, until: widths.length, indent: start }]
}

/** The lines of a band's last cell, of which the first begins at column `at`. */
export function wrapCell(cell: string, at: number, width: number): string[] {
  if (at + textWidth(cell) <= width) return [cell]
  return wrap(piecesOf(cell), width - at, '').map((line) => line.trim())
}

/** The width of the widest part of a cell that `wrapCell` does not break. */
export function widestPiece(cell: string): number {
  return Math.max(0, ...piecesOf(cell).map((piece) => textWidth(piece.trim())))
}

function piecesOf(cell: string): string[] {
  return (cell.match(/[^\s,]*(?:,|\s+|$)/g) ?? []).filter((piece) => piece !== '')
}
