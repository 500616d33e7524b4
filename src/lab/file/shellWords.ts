import { shellWord } from '../../text/shellWord.js'

const plainWord = /^[\w@%+=:,./-]+$/

/** An argument array as a POSIX shell command; only shown, never run. */
export function shellWords(argv: readonly string[]): string {
  return argv.map((word) => (plainWord.test(word) ? word : shellWord(word))).join(' ')
}
