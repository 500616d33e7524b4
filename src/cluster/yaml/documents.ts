import { LineCounter, isAlias, isDocument, isMap, isSeq, parseAllDocuments } from 'yaml'
import type { Document, Node } from 'yaml'
import type { Position, Problem } from '../../errors.js'
import { keyText, toValue, type Anchors } from './toValue.js'
import type { Json } from './json.js'
import { jsonValue } from './jsonValue.js'
import { maxTokens, yamlExcess } from './limits.js'
import { withIndentedQuotes } from './quotedLines.js'
import { usualDocuments } from './usualDocuments.js'

/** Field names and list indices from the root of an object. */
export type Path = readonly (string | number)[]

/** One non-empty document of a file. */
export interface YamlDocument {
  readonly value: Exclude<Json, null>
  /** The position of the value at a path, or of its nearest existing parent. */
  at(path: Path): Position
  /** The position of the key. */
  keyAt(path: Path): Position
}

// The names that the API server's messages use for fields that have another name in manifests.
const otherSpelling: Readonly<Record<string, string>> = {
  clusterIPs: 'clusterIP',
  podCIDRs: 'podCIDR',
  LoadBalancerSourceRanges: 'loadBalancerSourceRanges',
}

export interface Parsed {
  readonly documents: readonly YamlDocument[]
  readonly problems: readonly Problem[]
}

/**
 * Parses every document of a YAML (or JSON) file; documents with only comments are skipped. A text that a quick reader
 * understands is read again, exactly, when a position in it is needed.
 */
export function parseDocuments(file: string, text: string, tokens = maxTokens): Parsed {
  const json = jsonValue(text)
  const values = json === undefined ? usualDocuments(text) : [json]
  if (values === undefined) return parseExactly(file, text, tokens)
  let exact: readonly YamlDocument[] | undefined
  const document = (index: number): YamlDocument =>
    (exact ??= parseExactly(file, text, Infinity).documents)[index]!
  const documents = values.map((value, index) => ({
    value,
    at: (path: Path) => document(index).at(path),
    keyAt: (path: Path) => document(index).keyAt(path),
  }))
  return { documents, problems: [] }
}

/** Quoted scalars of one document that are corrected: the text is parsed again for each. */
const mostIndented = 20

/** The same for any text, with the syntax tree of all of it. */
export function parseExactly(file: string, text: string, tokens = maxTokens, corrected = 0): Parsed {
  const lines = new LineCounter()
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const problems: Problem[] = []
  const documents: YamlDocument[] = []
  // each correction parses the text again
  const excess = yamlExcess(file, text, Math.floor(tokens / (corrected + 1)))
  if (excess !== undefined)
    return { documents, problems: [{ ...excess, message: syntaxMessage(excess.message) }] }
  const all = parseText(text, lines)
  const indented = corrected < mostIndented ? withIndentedQuotes(text, all) : undefined
  if (indented !== undefined) {
    const again = parseExactly(file, indented, tokens, corrected + 1)
    if (again.problems.length === 0) return again
  }
  for (const parsed of all) {
    // Further errors of a document are mostly caused by its first syntax error.
    const [error] = parsed.errors
    if (error !== undefined) {
      problems.push({ message: syntaxMessage(error.message), at: position(error.pos[0]) })
      continue
    }
    const { value, anchors, faults } = toValue(parsed.contents)
    for (const fault of faults)
      problems.push({ message: syntaxMessage(fault.message), at: position(fault.offset) })
    if (value === null || faults.length > 0) continue
    const find = (path: Path, key: boolean): Position =>
      position(offsetOf(parsed.contents as Node, anchors, path, key))
    documents.push({ value, at: (path) => find(path, false), keyAt: (path) => find(path, true) })
  }
  return { documents, problems }
}

function parseText(text: string, lineCounter: LineCounter): readonly Document[] {
  const parsed = parseAllDocuments(text, {
    lineCounter,
    // scalars.ts resolves scalars, toValue.ts compares keys (in linear time).
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: false,
  })
  return Array.isArray(parsed) ? parsed.filter((document) => isDocument(document)) : []
}

function syntaxMessage(message: string): string {
  return `error converting YAML to JSON: yaml: ${message}`
}

/** Offset of the deepest existing part of a path: of the value of a scalar, of the key of a collection. */
function offsetOf(root: Node, anchors: Anchors, path: Path, isKey: boolean): number {
  let node: Node | null = root
  let offset = root.range?.[0] ?? 0
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = anchors.get(node.source) ?? null
    if (isSeq<Node>(node) && typeof step === 'number') {
      const item: Node | undefined = node.items[step]
      if (item === undefined) return offset
      node = item
      offset = node.range?.[0] ?? offset
    } else if (isMap<Node, Node | null>(node)) {
      const pair = findPair(node.items, String(step))
      if (pair !== undefined) {
        offset = pair.key.range?.[0] ?? offset
        const last = depth === path.length - 1
        if (last && !isKey && !isMap(pair.value) && !isSeq(pair.value))
          offset = pair.value?.range?.[0] ?? offset
        node = pair.value
      } else return offset
    } else return typeof step === 'number' ? (node?.range?.[0] ?? offset) : offset
  }
  return offset
}

type Pairs = readonly { key: Node; value: Node | null }[]

function findPair(pairs: Pairs, name: string): { key: Node; value: Node | null } | undefined {
  const other = otherSpelling[name]
  return (
    pairs.find((pair) => keyText(pair.key) === name) ??
    (other === undefined ? undefined : pairs.find((pair) => keyText(pair.key) === other))
  )
}
