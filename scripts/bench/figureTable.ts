import { formatTable } from '../../src/text/table.js'
import { best, evaluate, median, type Figure, type Unit } from './row.js'

/** The result of one row: its figures, or why there are none. */
export interface RowResult {
  readonly row: string
  readonly figures: readonly Figure[]
  readonly skipped?: string | undefined
  /** Why it could not be measured though it should have been. */
  readonly failed?: string | undefined
}

/** Measured and floor: the best value, and in brackets the median and the worst. */
const head = ['row', 'what', 'measured', 'floor', 'ratio', 'bound', 'ok']

/** The results as a table for a terminal. */
export function plainTable(results: readonly RowResult[]): string {
  return formatTable([head.map((word) => word.toUpperCase()), ...results.flatMap(cellsOf)])
}

/** The results as a Markdown table, as docs/benchmarks.md shows it. */
export function markdownTable(results: readonly RowResult[]): string {
  const rows = [head, head.map(() => '---'), ...results.flatMap(cellsOf)]
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** True when a figure exceeds its bound or a row failed; a skipped row is neither, and is never shown as ok. */
export function isBroken({ figures, failed }: RowResult): boolean {
  return failed !== undefined || figures.some((figure) => evaluate(figure).ok === false)
}

function cellsOf({ row, figures, skipped, failed }: RowResult): string[][] {
  if (failed !== undefined) return [[row, `failed: ${failed}`, '', '', '', '', 'NO']]
  if (skipped !== undefined) return [[row, `skipped: ${skipped}`, '', '', '', '', 'skipped']]
  return figures.map((figure) => {
    const { what, unit, measured, floor, bound } = figure
    const { ratio, ok } = evaluate(figure)
    return [
      row,
      what,
      valueText(measured, unit),
      floor === undefined ? '' : valueText(floor, unit),
      ratio === undefined ? '' : ratio.toFixed(2),
      bound === undefined ? '' : 'ratio' in bound ? `≤ ${bound.ratio}×` : `≤ ${bound.most} ${unit}`,
      ok === undefined ? '' : ok ? 'yes' : 'NO',
    ]
  })
}

/** The best value, then the median and the worst, which show how busy the host was. */
function valueText(values: readonly number[], unit: Unit): string {
  const first = best(values, unit)
  const bestText = `${short(first)} ${unit}`
  if (values.length === 1) return bestText
  const worst = first === Math.max(...values) ? Math.min(...values) : Math.max(...values)
  return `${bestText} (${short(median(values))}, ${short(worst)})`
}

function short(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
