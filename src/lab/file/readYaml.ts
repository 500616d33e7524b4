import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
} from 'yaml'
import type { JsonObject } from '../../cluster/yaml/json.js'
import { yamlExcess } from '../../cluster/yaml/limits.js'
import { coreScalar } from '../../cluster/yaml/scalars.js'
import { usualDocuments } from '../../cluster/yaml/usualDocuments.js'
import { InputError, type Position, type Problem } from '../../errors.js'
import { readBytes } from '../../host/readText.js'

/** A YAML file as plain values, with the position of each in the file. */
export interface YamlFile {
  readonly value: unknown
  /** The position of the value at a path, or of the nearest parent if the path does not exist. */
  readonly at: (path: readonly (string | number)[]) => Position
  /** The position of the key at the end of a path. */
  readonly keyAt: (path: readonly (string | number)[]) => Position
}

/** The maximum size: a lab file is a page or two. */
const largest = 1024 * 1024

/** How often a file may use its anchors: a few aliases can expand to gigabytes. */
const maxAliasCount = 200

/** Reads a YAML file of one document; `shown` is its name in messages. Throws InputError with its syntax errors. */
export function readYaml(path: string, shown: string): YamlFile {
  const text = decode(readBytes(path, { shown, most: largest }), shown)
  const value = usualValue(text)
  if (value === undefined) return readExactly(text, shown)
  // read again when a position is needed, of an error
  let exact: YamlFile | undefined
  const file = () => (exact ??= readExactly(text, shown))
  return { value, at: (path) => file().at(path), keyAt: (path) => file().keyAt(path) }
}

/** The value of a text that is written as most are, much faster; undefined for others. @public for the test that compares both ways */
export function usualValue(text: string): JsonObject | undefined {
  const severalDocuments = /^---/m.test(text)
  return severalDocuments ? undefined : usualDocuments(text, coreScalar)?.[0]
}

/** The same of any text, with its syntax tree. @public for the test that compares both ways */
export function readExactly(text: string, shown: string): YamlFile {
  const excess = yamlExcess(shown, text)
  if (excess !== undefined) throw new InputError([excess])
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file: shown, line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    throw new InputError(
      upToFirstGuess(document.errors).map(({ code, message, pos }) => ({
        ...syntaxProblem(code, message),
        at: position(pos[0]),
      })),
    )
  }
  const within = aliasWithinItsAnchor(document)
  if (within !== undefined)
    throw new InputError([
      {
        message: `"*${within.source}" is inside the value that it stands for`,
        at: position(offsetOf(within)),
      },
    ])
  return {
    value: toValue(document, shown),
    at: (path) => position(find(document, path).value),
    keyAt: (path) => position(find(document, path).key),
  }
}

function decode(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InputError([{ message: `${shown} is not UTF-8 text` }])
  }
}

/** After an unexpected token the parser guesses how to continue; most later errors only follow from it. */
function upToFirstGuess<E extends { readonly code: string }>(errors: readonly E[]): readonly E[] {
  const first = errors.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN')
  return first < 0 ? errors : errors.slice(0, first + 1)
}

function syntaxProblem(code: string, message: string): Problem {
  if (code === 'MULTIPLE_DOCS')
    return { message: 'a second document begins here', hint: 'a lab file has only one' }
  if (code === 'DUPLICATE_KEY') return { message: 'duplicate key in this mapping' }
  if (code === 'TAB_AS_INDENT')
    return { message: 'this line is indented with a tab', hint: 'indent YAML with spaces' }
  return { message: `not valid YAML: ${message.split('\n')[0] ?? code}` }
}

/** The first alias inside the value of its own anchor: the value would contain itself without end. */
function aliasWithinItsAnchor(document: Document): Alias | undefined {
  let found: Alias | undefined
  visit(document, {
    Alias(_key, alias, parents) {
      const target = alias.resolve(document)
      if (target === undefined || !parents.includes(target)) return undefined
      found = alias
      return visit.BREAK
    },
  })
  return found
}

/** An alias without its anchor, or too many aliases, fail only here. */
function toValue(document: Document, shown: string): unknown {
  try {
    return document.toJS({ maxAliasCount })
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new InputError([{ message: `not valid YAML: ${message}`, at: { file: shown, line: 1, column: 1 } }])
  }
}

/** Offsets of the key and the value at a path. */
function find(document: Document, path: readonly (string | number)[]): { key: number; value: number } {
  let node: Node | null = document.contents
  let found = { key: offsetOf(node), value: offsetOf(node) }
  for (const step of path) {
    const inside = isAlias(node) ? node.resolve(document) : node
    if (isMap(inside)) {
      const pair = inside.items.find((item) => keyText(item) === String(step))
      if (pair === undefined) return found
      const key = offsetOf(pair.key as Node | null)
      node = pair.value as Node | null
      found = { key, value: node?.range ? offsetOf(node) : key }
    } else if (isSeq(inside)) {
      node = (inside.items[Number(step)] as Node | undefined) ?? null
      if (node === null) return found
      found = { key: offsetOf(node), value: offsetOf(node) }
    } else return found
  }
  return found
}

function keyText(pair: Pair): string {
  return isScalar<string | number | boolean | null>(pair.key)
    ? String(pair.key.value ?? '')
    : String(pair.key)
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}
