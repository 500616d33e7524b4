import { foldColumns, widestPiece, wrapCell } from './foldColumns.js'
import { printable } from './printable.js'
import { pad, padStart, textWidth } from './textWidth.js'

/** Options of `formatTable`. */
export interface TableOptions {
  /** Spaces before each row; none by default. */
  readonly indent?: number
  /** Spaces between columns; two by default. */
  readonly gap?: number
  /** Right-aligned columns, counted from 0. */
  readonly right?: readonly number[]
  /** Columns of the terminal: wider rows continue on the next line. By default, lines are as long as their cells. */
  readonly width?: number | undefined
  /** The least width of each column. */
  readonly least?: readonly number[]
}

/** Rows as plain text with aligned columns; every line ends with a newline. */
export function formatTable(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const { indent = 0, gap = 2, right = [], width = Infinity, least = [] } = options
  const cells = rows.map((row) => row.map(printable))
  const widths = columnWidths([least.map((one) => ' '.repeat(one)), ...cells])
  const lastWord = Math.max(0, ...cells.map((row) => widestPiece(row[widths.length - 1] ?? '')))
  const bands = foldColumns(widths, { gap, indent, width, lastWord })
  const between = ' '.repeat(gap)
  const lines = cells.flatMap((row) =>
    bands.flatMap((band) => {
      const aligned = row.slice(band.from, band.until).map((cell, index) => {
        const column = band.from + index
        return right.includes(column) ? padStart(cell, widths[column] ?? 0) : pad(cell, widths[column] ?? 0)
      })
      if (band.from > 0 && aligned.every((cell) => cell.trim() === '')) return []
      const before =
        ' '.repeat(band.indent) +
        aligned
          .slice(0, -1)
          .map((cell) => cell + between)
          .join('')
      const [first = '', ...others] = wrapCell((aligned.at(-1) ?? '').trimEnd(), textWidth(before), width)
      return [before + first, ...others.map((line) => ' '.repeat(textWidth(before)) + line)]
    }),
  )
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** The width of each column in columns of a terminal. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))))
  return widths
}
