type Piece = string | (() => string)

/** Lets labs that run in parallel share one output: the text of each lab is written without a break. */
export interface Turns {
  /** Adds to a lab's text; a function is called when its text is written, not before. */
  write(lab: string, piece: Piece): void
  /** Marks the lab's text as complete. */
  finish(lab: string): void
  /** Writes the remaining text, in the order in which the labs started. */
  end(): void
}

interface Lab {
  readonly pieces: Piece[]
  finished: boolean
}

/**
 * The text of one lab is written at once, the text of the others is buffered. When this lab has finished, the text of
 * those that finished in the meantime follows, and the oldest of the others is next: one lab is always live.
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
