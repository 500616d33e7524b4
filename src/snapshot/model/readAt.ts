/** Where a rule was read: its file, and the line from 1. */
export interface ReadAt {
  readonly file: string
  readonly line: number
}
