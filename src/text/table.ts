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
}

/** Rows as plain text with aligned columns; every line ends with a newline. */
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
      return right.includes(column) ? padStart(cell, width) : pad(cell, width)
    })
    return `${' '.repeat(indent)}${aligned.join(' '.repeat(gap))}`.trimEnd()
  })
  return lines.map((line) => `${line}\n`).join('')
}
