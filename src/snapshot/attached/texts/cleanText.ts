import { hintsOf } from './hints.js'
import type { AttachedText, CleanText, LineProblem } from './model.js'
import { readHeading, readPrompt } from './prompts.js'

/** Characters of a line that are read. */
export const longestLine = 100_000

/** JSON of a whole table is one line, which takes no longer than its length. */
const longestJson = 64_000_000

function longest(line: string): number {
  return line.startsWith('[') || line.startsWith('{') ? longestJson : longestLine
}

// bounded, so that no text takes long: ECMA-48 has no longer ones in practice
const colours = /\x1b(?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[@-Z\\^_])/g

/** A line without colour codes, and what web pages put in the place of spaces. */
export function plainLine(raw: string): string {
  let line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
  if (line.length > longestLine) line = line.slice(0, longest(line))
  if (line.includes('\x1b')) line = line.replace(colours, '')
  return line.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').replaceAll('\0', '')
}

/**
 * The lines of a text without fences, prompts and the indentation that all of them have; their number stays the same. A prompt
 * or heading at its start gives the command, if it has none.
 */
export function cleanText(attached: AttachedText): {
  readonly clean: CleanText
  readonly problems: readonly LineProblem[]
} {
  const problems: LineProblem[] = []
  let { command } = attached
  let begun = false
  const raw = (attached.text.startsWith('\ufeff') ? attached.text.slice(1) : attached.text).split('\n')
  const lines = raw.map((one, index) => {
    if (one.length > longestLine + 1 && one.length > longest(one) + 1) {
      const message = `the line has ${one.length} characters; only the first ${longest(one)} are read`
      problems.push({ line: attached.line + index, message })
    }
    const line = plainLine(one)
    if (line.trimStart().startsWith('```')) return ''
    if (line.startsWith('> Error while running')) {
      problems.push({
        line: attached.line + index,
        message: `the collector could not read it: ${line.slice(2, 300)}`,
      })
      return ''
    }
    if (line.trim() === '') return ''
    const found = begun ? undefined : (readHeading(line)?.command ?? readPrompt(line)?.command)
    const later = mayBePrompt(line) ? readPrompt(line) : mayBeHeading(line) ? readHeading(line) : undefined
    const prompt = found ?? later?.command
    if (prompt === undefined) begun = true
    else if (!begun) command ??= prompt
    return prompt === undefined ? line : ''
  })
  const { path, line: first } = attached
  return { clean: { path, first, lines: dedented(lines), hints: hintsOf({ path, command }) }, problems }
}

/** After the first line only a prompt that names a host: rules and comments have the other signs too. */
function mayBePrompt(line: string): boolean {
  return line.includes('@') && /^\[?[\w.-]{1,64}@[\w.-]/.test(line)
}

/** What collectors print before the output of a command. */
function mayBeHeading(line: string): boolean {
  return line.startsWith('***') || line.startsWith('===') || line.startsWith('###')
}

function dedented(lines: readonly string[]): readonly string[] {
  let common = Infinity
  for (const line of lines) {
    if (line === '') continue
    let at = 0
    while (line[at] === ' ' && at < common) at++
    common = Math.min(common, at)
    if (common === 0) return lines
  }
  return common === Infinity ? lines : lines.map((line) => line.slice(common))
}
