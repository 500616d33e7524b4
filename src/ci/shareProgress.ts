import type { LabEvent } from '../results/events.js'
import type { Cell } from './matrix.js'

/** The events received so far from the container that runs a share. */
export interface ShareProgress {
  /** The event with its cell's name; undefined if no cell of the share matches. */
  on(event: LabEvent): LabEvent | undefined
  /** The cell that has begun and not ended. */
  current(): Cell | undefined
  /** Cells that have not begun, in order. */
  waiting(): readonly Cell[]
}

/** Follows a share; `labName` returns the container's name for a cell's lab. */
export function followShare(share: readonly Cell[], labName: (cell: Cell) => string): ShareProgress {
  const waiting = [...share]
  const begun = new Map<string, Cell>()
  return {
    on(event) {
      // the end of the container has the same error
      if (event.type === 'lab-error') return undefined
      const index = waiting.findIndex((cell) => labName(cell) === event.lab)
      const cell = begun.get(event.lab) ?? (index < 0 ? undefined : waiting.splice(index, 1)[0])
      if (cell === undefined) return undefined
      const over = event.type === 'lab-end' || event.type === 'lab-skipped'
      if (over) begun.delete(event.lab)
      else begun.set(event.lab, cell)
      return event.type === 'lab-end'
        ? { ...event, lab: cell.name, result: { ...event.result, lab: cell.name } }
        : { ...event, lab: cell.name }
    },
    current: () => begun.values().next().value,
    waiting: () => waiting,
  }
}
