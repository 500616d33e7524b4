import { CST, Lexer } from 'yaml'
import type { Position, Problem } from '../../errors.js'
import type { Json } from './json.js'

/**
 * How deep a document may nest, in YAML and in JSON. The deepest objects of real clusters, CustomResourceDefinitions, have about
 * sixty levels. The API server allows 10,000, but this code and its parsers are recursive: about 2,000 levels exhaust the stack of Node.
 */
export const maxDepth = 500

/** The message about a document that nests deeper. */
export const tooDeepMessage = `nested deeper than ${maxDepth} levels`

/**
 * Tokens of a YAML file: of 200,000 lines and more. Only files that are written in an unusual way are limited, because the exact
 * parser takes seconds for a million tokens.
 */
export const maxTokens = 1_000_000

/** Parses JSON of a client; throws SyntaxError, also for a document that nests too deeply. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json
  if (isTooDeep(value)) throw new SyntaxError(tooDeepMessage)
  return value
}

/** Whether a value nests deeper than `maxDepth`. */
export function isTooDeep(value: Json, levels = maxDepth): boolean {
  if (value === null || typeof value !== 'object') return false
  if (levels === 0) return true
  const inner = Array.isArray(value) ? value : Object.values(value)
  return inner.some((one) => isTooDeep(one, levels - 1))
}

/**
 * The problem of a YAML text that nests too deeply, or has more tokens than are allowed; otherwise undefined. It only reads tokens,
 * in linear time: the parser takes minutes for texts that are nothing but nesting.
 */
export function yamlExcess(file: string, text: string, allowed = maxTokens): Problem | undefined {
  const nesting = new Nesting()
  let [offset, tokens, scalar] = [0, 0, false]
  for (const source of new Lexer().lex(text)) {
    // a scalar is announced by a token without source
    const type = scalar ? 'scalar' : CST.tokenType(source)
    const announced = !scalar && type === 'scalar'
    scalar = announced
    if (announced || type === 'doc-mode' || type === 'flow-error-end') continue
    if (++tokens > allowed)
      return {
        message: `more than ${allowed} tokens of YAML`,
        at: positionAt(file, text, offset),
        hint: 'JSON of this size is accepted',
      }
    nesting.see(type, source)
    if (nesting.depth > maxDepth)
      return {
        message: tooDeepMessage,
        at: positionAt(file, text, offset),
        hint: 'the deepest Kubernetes objects have about 60 levels',
      }
    offset += source.length
  }
  return undefined
}

function positionAt(file: string, text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The nesting at a token of a YAML text: open brackets, and columns at which block collections begin. */
class Nesting {
  #brackets = 0
  readonly #columns: number[] = []
  #column = 0
  /** The column of the key or item that the next indicator is about. */
  #start: number | undefined

  /** Collections that are open; a sequence at the column of its parent's key does not count. */
  get depth(): number {
    return this.#brackets + this.#columns.length
  }

  see(type: CST.TokenType | null, source: string): void {
    switch (type) {
      case 'newline':
        this.#column = 0
        this.#start = undefined
        return
      case 'doc-start':
      case 'doc-end':
        this.#brackets = 0
        this.#columns.length = 0
        break
      case 'flow-map-start':
      case 'flow-seq-start':
        this.#brackets++
        this.#start ??= this.#column
        break
      case 'flow-map-end':
      case 'flow-seq-end':
        this.#brackets = Math.max(0, this.#brackets - 1)
        break
      case 'seq-item-ind':
      case 'explicit-key-ind':
      case 'map-value-ind':
        if (this.#brackets === 0) this.#open(this.#start ?? this.#column)
        this.#start = undefined
        break
      case 'space':
      case 'comma':
        break
      default:
        this.#start ??= this.#column
    }
    this.#column += source.length
  }

  #open(column: number): void {
    while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop()
    this.#columns.push(column)
  }
}
