import type { Cell } from './matrix.js'

/** Labs that one container runs one after the other: more would leave other containers idle at the end. */
const largest = 6

/**
 * Cuts a matrix into shares, each for one container: cells of one variant, in their order. There are a few shares for
 * each container that may run at once, so that all are done at about the same time.
 */
export function shares(cells: readonly Cell[], containers: number): Cell[][] {
  const size = Math.max(1, Math.min(largest, Math.ceil(cells.length / (containers * 3))))
  const cut: Cell[][] = []
  for (const cell of cells) {
    const last = cut.at(-1)
    const room = last !== undefined && last.length < size && last[0]?.variant === cell.variant
    // the container tells labs apart by their names
    if (room && !last.some(({ lab }) => lab === cell.lab)) last.push(cell)
    else cut.push([cell])
  }
  return cut
}
