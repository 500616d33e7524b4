import type { LabEvent } from '../results/events.js'
import type { Cell } from './matrix.js'

/** What has been heard from the container that runs a share. */
export interface ShareProgress {
  /** An event under its cell's name; undefined when it is about none of the share. */
  on(event: LabEvent): LabEvent | undefined
  /** The cell that has begun and not ended. */
  current(): Cell | undefined
  /** Cells that have not begun, in order. */
  waiting(): readonly Cell[]
}

/** Follows a share; `labName` is what the container calls a cell's lab. */
export function followShare(share: readonly Cell[], labName: (cell: Cell) => string): ShareProgress {
  const waiting = [...share]
  const begun = new Map<string, Cell>()
  return {
    on(event) {
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
