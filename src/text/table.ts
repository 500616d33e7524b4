import { printable } from './printable.js'
import { pad, textWidth } from './textWidth.js'

/** How `formatTable` sets a table. */
export interface TableOptions {
  /** Spaces before each row; none by default. */
  readonly indent?: number
  /** Spaces between columns; two by default. */
  readonly gap?: number
  /** Columns, counted from 0, whose cells stand at the right edge, as numbers do. */
  readonly right?: readonly number[]
}

/** Plain text with aligned columns, a line for each row, every line ended by a newline; the first row may be a heading. */
export function formatTable(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const { indent = 0, gap = 2, right = [] } = options
  const cells = rows.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of cells) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))))
  }
  const lines = cells.map((row) => {
    const aligned = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return right.includes(column) ? ' '.repeat(width - textWidth(cell)) + cell : pad(cell, width)
    })
    return `${' '.repeat(indent)}${aligned.join(' '.repeat(gap))}`.trimEnd()
  })
  return lines.map((line) => `${line}\n`).join('')
}
