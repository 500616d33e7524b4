const plainWord = /^[\w@%+=:,./-]+$/

/** An argument array as a person would type it in a POSIX shell; for showing, never for running. */
export function shellWords(argv: readonly string[]): string {
  return argv.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
