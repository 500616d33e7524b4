/** One commit in restore text. */
export interface RestoreCommit {
  /** `*nat`, with its newline. */
  readonly head: string
  /** The lines up to COMMIT, each with its newline. */
  readonly body: string
  /** Where its first line begins, and where the line after COMMIT does. */
  readonly start: number
  readonly end: number
}

const commit = 'COMMIT\n'

/** The commits of restore text, in their order; up to one whose COMMIT is missing. */
export function* restoreTables(text: string): Generator<RestoreCommit> {
  for (let from = 0; from < text.length;) {
    const start = text.startsWith('*', from) ? from : text.indexOf('\n*', from) + 1
    if (start < from || !text.startsWith('*', start)) return
    const bodyStart = text.indexOf('\n', start) + 1
    const bodyEnd = text.indexOf(`\n${commit}`, bodyStart - 1) + 1
    if (bodyStart === 0 || bodyEnd === 0) return
    from = bodyEnd + commit.length
    yield { head: text.slice(start, bodyStart), body: text.slice(bodyStart, bodyEnd), start, end: from }
  }
}
