import { formatTable } from '../../src/text/table.js'
import { best, judge, median, type Figure, type Unit } from './row.js'

/** What one row gave: its figures, or why there are none. */
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

/** True when a bound is broken or a row failed; one that was skipped breaks none, and is never shown as ok. */
export function isBroken({ figures, failed }: RowResult): boolean {
  return failed !== undefined || figures.some((figure) => judge(figure).ok === false)
}

function cellsOf({ row, figures, skipped, failed }: RowResult): string[][] {
  if (failed !== undefined) return [[row, `failed: ${failed}`, '', '', '', '', 'NO']]
  if (skipped !== undefined) return [[row, `skipped: ${skipped}`, '', '', '', '', 'skipped']]
  return figures.map((figure) => {
    const { what, unit, measured, floor, bound } = figure
    const { ratio, ok } = judge(figure)
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

/** The best value; after it the median and the worst, which tell how much the machine was disturbed. */
function valueText(values: readonly number[], unit: Unit): string {
  const first = best(values, unit)
  const told = `${short(first)} ${unit}`
  if (values.length === 1) return told
  const worst = first === Math.max(...values) ? Math.min(...values) : Math.max(...values)
  return `${told} (${short(median(values))}, ${short(worst)})`
}

function short(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
