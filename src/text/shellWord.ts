/** An argument as a POSIX shell reads it, to be printed in a command: in quotes only if the shell would change it. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
