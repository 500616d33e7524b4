import { flowValue } from './flowValue.js'
import type { Json, JsonObject } from './json.js'
import { plainScalar } from './scalars.js'
import { isUsualText, maxUsualDepth, Unusual } from './usual.js'

/**
 * The values of the non-empty documents of a YAML text that is written as most manifests are: mappings and sequences in
 * lines, scalars and flow collections on one line, literal blocks. Undefined for any other text, right or wrong: then the
 * exact reader decides. What this reader accepts, it reads as the exact reader does, about ten times as fast.
 */
export function usualDocuments(text: string): JsonObject[] | undefined {
  if (!text.endsWith('\n') || !isUsualText(text)) return undefined
  const lines = new Lines(text)
  const documents: JsonObject[] = []
  try {
    while (!lines.ended) {
      lines.next()
      if (lines.indent === 0) documents.push(mapping(lines, 0, 0))
      if (lines.indent >= 0) throw new Unusual()
    }
  } catch (error) {
    if (error instanceof Unusual) return undefined
    throw error
  }
  return documents
}

/** The lines of a text, without those that are blank or comments. */
class Lines {
  /** Spaces before the current line; -1 at the end of a document. */
  indent = -1
  /** The current line without the spaces around it. */
  line = ''
  ended = false
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  next(): void {
    const text = this.#text
    this.indent = -1
    while (this.#at < text.length) {
      const start = this.#at
      const end = text.indexOf('\n', start)
      const from = this.#afterSpaces(start)
      this.#at = end + 1
      if (from === end || text[from] === '#') continue
      this.line = text.slice(from, end).trimEnd()
      if (from === start && this.line.startsWith('---')) {
        if (this.line !== '---') throw new Unusual()
        return
      }
      this.indent = from - start
      return
    }
    this.ended = true
  }

  /** The lines of a literal block below the current line, which are indented by more than `parent`. */
  literal(parent: number): string[] {
    const text = this.#text
    const block = this.#afterSpaces(this.#at) - this.#at
    if (block <= parent || text[this.#at + block] === '\n') throw new Unusual()
    const result: string[] = []
    while (this.#at < text.length) {
      const end = text.indexOf('\n', this.#at)
      const from = this.#afterSpaces(this.#at)
      if (from < end && from - this.#at < block) break
      if (from === end && from - this.#at > block) throw new Unusual()
      result.push(text.slice(Math.min(this.#at + block, end), end))
      this.#at = end + 1
    }
    return result
  }

  #afterSpaces(at: number): number {
    while (this.#text[at] === ' ') at++
    return at
  }
}

const mappingKey = /^(?:([A-Za-z0-9_][A-Za-z0-9_./-]*)|"([^"\\]*)"|'([^']*)'):(?: +|$)/
const maxKeyLength = 200

/** The mapping whose first line is the current one, at column `indent`. */
function mapping(lines: Lines, indent: number, depth: number): JsonObject {
  if (depth > maxUsualDepth) throw new Unusual()
  const result: JsonObject = {}
  do {
    const match = mappingKey.exec(lines.line)
    if (match === null) throw new Unusual()
    const [start, plain, double, single] = match
    const key = plain === undefined ? (double ?? single ?? '') : String(plainScalar(plain))
    if (key === '__proto__' || Object.hasOwn(result, key) || start.length > maxKeyLength) throw new Unusual()
    const rest = lines.line.slice(start.length)
    result[key] = rest === '' ? below(lines, indent, depth) : onLine(lines, rest, indent)
    if (lines.indent > indent) throw new Unusual()
  } while (lines.indent === indent)
  return result
}

/** The value of a key that is in the lines after it. */
function below(lines: Lines, indent: number, depth: number): Json {
  lines.next()
  const isSequence = lines.line.startsWith('- ')
  if (isSequence && lines.indent >= indent) return sequence(lines, lines.indent, depth + 1)
  return lines.indent > indent ? mapping(lines, lines.indent, depth + 1) : null
}

/** The sequence whose first line is the current one. */
function sequence(lines: Lines, indent: number, depth: number): Json[] {
  if (depth > maxUsualDepth) throw new Unusual()
  const result: Json[] = []
  do {
    const [dash = ''] = /^- +/.exec(lines.line) ?? []
    const rest = lines.line.slice(dash.length)
    if (mappingKey.test(rest) || rest.startsWith('- ')) {
      lines.line = rest
      lines.indent = indent + dash.length
      const collection = rest.startsWith('- ') ? sequence : mapping
      result.push(collection(lines, lines.indent, depth + 1))
    } else result.push(onLine(lines, rest, indent))
    if (lines.indent > indent) throw new Unusual()
  } while (lines.indent === indent && lines.line.startsWith('- '))
  return result
}

const plain = /^(?:[A-Za-z0-9_./~$(^+;]|-(?=[^ ]))(?:[^:#]|:(?! |$)|(?<! )#)*$/
const doubleQuoted = /^"(?:[^"\\]|\\["\\/bfnrt])*"$/
const singleQuoted = /^'(?:[^']|'')*'$/

/** A value that begins on the current line, and the next line. */
function onLine(lines: Lines, text: string, indent: number): Json {
  const value = text === '|' || text === '|-' ? literal(lines, text, indent) : scalarOrFlow(text)
  lines.next()
  return value
}

function scalarOrFlow(text: string): Json {
  if (plain.test(text)) return plainScalar(text)
  if (doubleQuoted.test(text)) return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  if (singleQuoted.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  return flowValue(text)
}

function literal(lines: Lines, header: '|' | '|-', indent: number): string {
  const content = lines.literal(indent).join('\n').replace(/\n+$/, '')
  return header === '|' ? `${content}\n` : content
}
