import { flowValue } from './flowValue.js'
import type { Json, JsonObject } from './json.js'
import { plainScalar } from './scalars.js'
import { isUsualText, maxUsualDepth, plainStart, Unusual, type Scalar, type ToScalar } from './usual.js'

/**
 * The values of the non-empty documents of a YAML text that is written as most files are: mappings and sequences in lines,
 * scalars on one line, flow collections of such scalars, literal and folded blocks. Undefined for any other text, right or wrong:
 * then the exact reader decides. What this reader accepts, it reads as the exact reader does, about ten times as fast. `toScalar`
 * gives the values of plain scalars, by default those of manifests.
 */
export function usualDocuments(text: string, toScalar: ToScalar = plainScalar): JsonObject[] | undefined {
  if (!text.endsWith('\n') || !isUsualText(text)) return undefined
  const lines = new Lines(text, toScalar)
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
  readonly toScalar: ToScalar

  constructor(text: string, toScalar: ToScalar) {
    this.#text = text
    this.toScalar = toScalar
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
      this.line = withoutSpacesAtEnd(text.slice(from, end))
      if (from === start && this.line.startsWith('---')) {
        if (this.line !== '---') throw new Unusual()
        return
      }
      this.indent = from - start
      return
    }
    this.ended = true
  }

  /** The lines of a block scalar below the current line, which are indented by more than `parent`. */
  block(parent: number): string[] {
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
    const key = plain === undefined ? (double ?? single ?? '') : keyOf(lines.toScalar(plain))
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
  if (lines.indent <= indent) return null
  return /^(?:["'][^:]*$|[[{])/.test(lines.line)
    ? onLine(lines, lines.line, indent)
    : mapping(lines, lines.indent, depth + 1)
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

/** The name of a key that is a plain scalar; readers differ in that of null. */
function keyOf(scalar: Scalar): string {
  if (scalar === null) throw new Unusual()
  return String(scalar)
}

const plain = new RegExp(`^(?:[${plainStart}]|-(?=[^ ]))(?:[^:#]|:(?! |$)|(?<! )#)*$`)
const doubleQuoted = /^"(?:[^"\\]|\\["\\/bfnrt])*"$/
const singleQuoted = /^'(?:[^']|'')*'$/

/** A value that begins on the current line, and the next line. */
function onLine(lines: Lines, text: string, indent: number): Json {
  const value = /^[|>]-?$/.test(text)
    ? blockScalar(text, lines.block(indent))
    : /^[[{]/.test(text)
      ? flowValue(flowText(lines, text, indent), lines.toScalar)
      : scalar(lines, text)
  lines.next()
  return value
}

function scalar(lines: Lines, text: string): Json {
  if (plain.test(text)) return lines.toScalar(text)
  if (doubleQuoted.test(text)) return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  if (singleQuoted.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  throw new Unusual()
}

/** A literal (`|`) or folded (`>`) block; with `-`, without its last line break. */
function blockScalar(header: string, lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => line !== '')
  const content = lines.slice(0, last + 1)
  const text = header.startsWith('|') ? content.join('\n') : folded(content)
  return header.endsWith('-') ? text : `${text}\n`
}

/** A line break between two lines is a space; empty lines are line breaks. */
function folded(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith(' ') || line.endsWith(' '))) throw new Unusual()
  const [first = '', ...others] = lines
  let text = first
  let empty = 0
  for (const line of others) {
    if (line === '') empty++
    else {
      text += (empty === 0 ? ' ' : '\n'.repeat(empty)) + line
      empty = 0
    }
  }
  return text
}

/** The text of a flow collection up to the line on which it ends. */
function flowText(lines: Lines, begun: string, indent: number): string {
  const parts = [begun]
  for (let open = opened(begun); open > 0; open += opened(lines.line)) {
    lines.next()
    if (lines.indent <= indent) throw new Unusual()
    parts.push(lines.line)
  }
  return parts.join('\n')
}

/** How many more brackets a line of a flow collection opens than it closes. */
function opened(line: string): number {
  const bare = line.replaceAll(/"[^"\\]*"|'[^']*'/g, '')
  // a quoted text that goes on in the next line
  if (/["']/.test(bare)) throw new Unusual()
  return (bare.match(/[[{]/g) ?? []).length - (bare.match(/[\]}]/g) ?? []).length
}

/** Without the spaces at its end; String.trimEnd removes others too, which YAML keeps. */
function withoutSpacesAtEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, end)
}
