/** The lines of a text that begin with a space: commands to copy. What explains one is further to the right. */
export function linesToCopy(text: string): string[] {
  return [...text.matchAll(/^ +(\S.*?)(?: {2,}|$)/gm)].map(([, line = '']) => line)
}

/** The commands of vethlab among them. */
export function commandsIn(text: string): string[] {
  return linesToCopy(text).filter((line) => line.startsWith('vethlab '))
}

/** Whether only a shell runs a command: it has a pipe, variables, patterns, redirections or several commands. */
export function needsShell(command: string): boolean {
  return wordsOfCommand(command) === undefined || /(?:^| )\|(?: |$)/.test(command)
}

/**
 * The words of a command, as a POSIX shell reads them, up to a pipe. Undefined if it needs a shell: variables, patterns,
 * several commands, other redirections.
 */
export function wordsOfCommand(command: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  const pieces = /'([^']*)'|"((?:[^"\\`$]|\\.)*)"|\\(.)|( +)|(\|)|([^\s'"\\`$&;<>()|*?~#[\]]+)/gsy
  while (pieces.lastIndex < command.length) {
    const piece = pieces.exec(command)
    if (piece === null) return undefined
    const [, single, double, escaped, space, pipe, plain] = piece
    if (pipe !== undefined) break
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\`$])/g, '$1') ?? escaped ?? plain ?? '')
    }
  }
  return word === undefined ? words : [...words, word]
}
