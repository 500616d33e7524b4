import type { Cell } from './matrix.js'

/** Most labs that one container runs, one after the other: with more, other containers would be idle at the end. */
const largest = 6

/**
 * Splits a matrix into shares, each for one container: cells of one variant, in order. There are a few shares per
 * concurrent container, so that all containers finish at about the same time.
 */
export function shares(cells: readonly Cell[], containers: number): Cell[][] {
  const size = Math.max(1, Math.min(largest, Math.ceil(cells.length / (containers * 3))))
  const cut: Cell[][] = []
  for (const cell of cells) {
    const last = cut.at(-1)
    const room = last !== undefined && last.length < size && last[0]?.variant === cell.variant
    // the container identifies labs by name
    if (room && !last.some(({ lab }) => lab === cell.lab)) last.push(cell)
    else cut.push([cell])
  }
  return cut
}
