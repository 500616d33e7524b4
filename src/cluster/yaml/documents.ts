import { LineCounter, isAlias, isDocument, isMap, isSeq, parseAllDocuments } from 'yaml'
import type { Document, Node } from 'yaml'
import type { Position, Problem } from '../../errors.js'
import { keyText, toValue, type Anchors, type Json } from './toValue.js'

/** Field names and list indices from the root of an object. */
export type Path = readonly (string | number)[]

/** One document of a file that holds something. */
export interface YamlDocument {
  readonly value: Exclude<Json, null>
  /** Where the value at a path stands, or the nearest thing around it that is there. */
  at(path: Path): Position
  /** Where the key itself stands. */
  keyAt(path: Path): Position
}

// Names that the API server uses in its answers for fields that are written otherwise.
const otherSpelling: Readonly<Record<string, string>> = {
  clusterIPs: 'clusterIP',
  podCIDRs: 'podCIDR',
  LoadBalancerSourceRanges: 'loadBalancerSourceRanges',
}

/** Reads every document of a YAML (or JSON) file; documents of comments alone are left out. */
export function parseDocuments(
  file: string,
  text: string,
): { documents: readonly YamlDocument[]; problems: readonly Problem[] } {
  const lines = new LineCounter()
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const problems: Problem[] = []
  const documents: YamlDocument[] = []
  for (const parsed of parseText(text, lines, position, problems)) {
    // What follows a syntax error in a document is mostly its echo.
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

function parseText(
  text: string,
  lineCounter: LineCounter,
  position: (offset: number) => Position,
  problems: Problem[],
): readonly Document[] {
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter,
      // Scalars are resolved in scalars.ts, keys compared in toValue.ts (there in linear time).
      schema: 'failsafe',
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
      stringKeys: false,
    })
    return Array.isArray(parsed) ? parsed.filter((document) => isDocument(document)) : []
  } catch (error) {
    // The parser recurses with the nesting of the text: brackets by the ten thousand exhaust the stack.
    if (!(error instanceof RangeError)) throw error
    problems.push({ message: syntaxMessage('nested too deeply'), at: position(0) })
    return []
  }
}

function syntaxMessage(message: string): string {
  return `error converting YAML to JSON: yaml: ${message}`
}

/** Offset of the deepest part of a path that is there: scalars by value, collections by the key that holds them. */
function offsetOf(root: Node, anchors: Anchors, path: Path, wantKey: boolean): number {
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
        if (last && !wantKey && !isMap(pair.value) && !isSeq(pair.value))
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
