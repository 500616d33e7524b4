/** A word as a POSIX shell reads it, whatever characters it has. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
