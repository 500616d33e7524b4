/** A command of a lesson and the output that the lesson shows of it. */
export interface LessonCommand {
  /** Line of the command in the file, from 1. */
  readonly line: number
  readonly command: string
  readonly shown: readonly string[]
}

/** Stands for any lines that were left out, or within a line for any text. */
const leftOut = '…'

/** The commands of a README's `console` blocks, in order. */
export function lessonCommands(readme: string): LessonCommand[] {
  const commands: { line: number; command: string; shown: string[] }[] = []
  let inside = false
  for (const [index, text] of readme.split('\n').entries()) {
    if (text.trim() === '```console') inside = true
    else if (text.trim() === '```') inside = false
    else if (inside && text.startsWith('$ '))
      commands.push({ line: index + 1, command: text.slice(2), shown: [] })
    else if (inside) commands.at(-1)?.shown.push(text)
  }
  return commands
}

/** The first shown line that the output lacks where it should come; undefined when it has all of them, in order. */
export function missingLine(shown: readonly string[], output: string): string | undefined {
  const lines = output === '' ? [] : output.replace(/\n+$/, '').split('\n')
  if (shown.length === 0) return lines.every((line) => line.trim() === '') ? undefined : '(no output at all)'
  let from = 0
  for (const expected of shown) {
    if (expected.trim() === leftOut || expected.trim() === '') continue
    const pattern = shapePattern(expected)
    const found = lines.findIndex((line, index) => index >= from && pattern.test(shapeOf(line)))
    if (found === -1) return expected
    from = found + 1
  }
  return undefined
}

function shapePattern(line: string): RegExp {
  const pieces = line.split(leftOut).map((piece) => escaped(shapeOf(piece)))
  return new RegExp(`^${pieces.join('.*')}$`)
}

/** A line without what differs from run to run: addresses, ports, counters, times, hashes in names, who was chosen. */
export function shapeOf(line: string): string {
  return (
    line
      .replace(/\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b/g, 'MAC')
      .replace(/\[?\b(?:[0-9a-f]{1,4}:){1,7}:?(?:[0-9a-f]{1,4}:?){0,7}(?:\/\d+)?\]?/gi, (text) =>
        /::|(?:[0-9a-f]+:){3}/i.test(text) ? 'ADDRESS' : text,
      )
      .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?\b/g, 'ADDRESS')
      .replace(/\b(KUBE-[A-Z]+|CNI-[A-Z]+)-[A-Z0-9]{8,}\b/g, '$1-HASH')
      .replace(/\bveth[0-9a-f]{8}\b/g, 'VETH')
      .replace(/-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-HASH')
      .replace(/"node":"[a-z0-9-]+"/g, '"node":"NODE"')
      // as kubectl prints them: 1s, 2m14s
      .replace(/(?<![\w.])(?:\d+[dhms])+\b/g, 'AGE')
      .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-HASH')
      .replace(/\d+(?:\.\d+)?/g, 'N')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
