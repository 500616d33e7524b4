type Piece = string | (() => string)

/** Lets labs that run side by side share one output: each lab's text comes out in one piece. */
export interface Turns {
  /** Adds to a lab's text; a function is called when its text is about to be written, not before. */
  write(lab: string, piece: Piece): void
  /** Says that the lab writes nothing more. */
  finish(lab: string): void
  /** Writes what is left, in the order in which the labs began. */
  end(): void
}

interface Lab {
  readonly pieces: Piece[]
  finished: boolean
}

/**
 * One lab at a time has its turn and its text goes straight out; the others' text waits. When the lab that has the
 * turn is done, those that finished meanwhile follow, and the oldest of the rest gets the turn: a single lab is
 * always live.
 */
export function createTurns(out: (text: string) => void): Turns {
  const labs = new Map<string, Lab>()
  let live: string | undefined

  const emit = (piece: Piece) => {
    const text = typeof piece === 'string' ? piece : piece()
    if (text !== '') out(text)
  }
  const drain = (lab: Lab) => {
    for (const piece of lab.pieces.splice(0)) emit(piece)
  }
  const nextTurn = () => {
    for (const [name, lab] of labs) {
      if (!lab.finished) continue
      drain(lab)
      labs.delete(name)
    }
    const oldest = labs.entries().next().value
    live = oldest?.[0]
    if (oldest !== undefined) drain(oldest[1])
  }

  return {
    write: (name, piece) => {
      live ??= name
      const lab = labs.get(name) ?? { pieces: [], finished: false }
      labs.set(name, lab)
      if (live === name) emit(piece)
      else lab.pieces.push(piece)
    },
    finish: (name) => {
      const lab = labs.get(name)
      if (lab === undefined) return
      lab.finished = true
      if (live === name) nextTurn()
    },
    end: () => {
      for (const lab of labs.values()) drain(lab)
      labs.clear()
      live = undefined
    },
  }
}
