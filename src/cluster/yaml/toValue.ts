import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml'
import type { Json } from './json.js'
import { maxDepth, tooDeepMessage } from './limits.js'
import { plainScalar } from './scalars.js'

/** An error in a document, by the rules of YAML or Kubernetes, at an offset of the text. */
export interface YamlFault {
  readonly offset: number
  readonly message: string
}

/** Anchored nodes, for aliases. */
export type Anchors = ReadonlyMap<string, Node>

export interface Converted {
  readonly value: Json
  readonly anchors: Anchors
  readonly faults: readonly YamlFault[]
}

// A file of nested aliases can have billions of values; sharing them is cheap, walking them is not.
const maxAliasedValues = 100_000
// The first faults are enough to fix a document.
const maxFaults = 100

/** Converts the node tree of one document (parsed with the failsafe schema) to plain values. */
export function toValue(root: Node | null): Converted {
  const faults: YamlFault[] = []
  const anchors = new Map<string, Node>()
  const done = new Map<Node, { value: Json; size: number }>()
  let aliased = 0

  const fault = (node: { range?: Node['range'] }, message: string): null => {
    if (faults.length < maxFaults) faults.push({ offset: node.range?.[0] ?? 0, message })
    return null
  }

  // Returns the value; sizes are kept only for anchored nodes.
  let count = 0
  const convert = (node: Node | null, depth: number): Json => {
    if (node === null) return null
    count++
    if (depth > maxDepth) return fault(node, tooDeepMessage)
    if (isAlias(node)) return followAlias(node)
    if (node.anchor === undefined) return convertPlain(node, depth)
    anchors.set(node.anchor, node)
    const before = count
    const value = convertPlain(node, depth)
    done.set(node, { value, size: count - before + 1 })
    return value
  }

  const followAlias = (alias: Node & { source: string }): Json => {
    const target = anchors.get(alias.source)
    if (target === undefined) return fault(alias, `unknown anchor '${alias.source}' referenced`)
    const known = done.get(target)
    if (known === undefined) return fault(alias, `anchor '${alias.source}' value contains itself`)
    count += known.size
    aliased += known.size
    if (aliased > maxAliasedValues) {
      if (aliased < Infinity) fault(alias, 'document contains excessive aliasing')
      aliased = Infinity
      return null
    }
    return known.value
  }

  const convertPlain = (node: Node, depth: number): Json => {
    if (isScalar(node)) return scalarValue(node, fault)
    if (isSeq<Node>(node)) return node.items.map((item) => convert(item, depth + 1))
    return isMap<Node, Node>(node) ? convertMap(node, depth) : null
  }

  const convertMap = (map: YAMLMap<Node, Node>, depth: number): Json => {
    const entries = new Map<string, Json>()
    const merged = new Map<string, Json>()
    for (const pair of map.items) {
      const key = keyText(pair.key)
      if (key === undefined) {
        fault(pair.key, 'a mapping key must be a scalar')
        continue
      }
      if (pair.key.anchor !== undefined) convert(pair.key, depth + 1)
      const value = convert(pair.value, depth + 1)
      if (isMergeKey(pair))
        mergeInto(merged, value, () =>
          fault(pair.key, 'map merge requires map or sequence of maps as the value'),
        )
      else if (entries.has(key)) fault(pair.key, `key ${JSON.stringify(key)} already set in map`)
      else entries.set(key, value)
    }
    for (const [key, value] of merged) if (!entries.has(key)) entries.set(key, value)
    return Object.fromEntries(entries)
  }

  return { value: convert(root, 0), anchors, faults }
}

/** The text of a mapping key in JSON; undefined for a key that is a collection. */
export function keyText(key: Node | null): string | undefined {
  if (key === null) return 'null'
  if (!isScalar(key)) return undefined
  return String(isPlain(key) ? plainScalar(key.source ?? '') : key.value)
}

/** True for the `<<` of YAML 1.1, which Kubernetes supports. */
export function isMergeKey(pair: Pair<Node, Node | null>): boolean {
  return isScalar(pair.key) && isPlain(pair.key) && pair.key.source === '<<'
}

function mergeInto(merged: Map<string, Json>, value: Json, fault: () => void): void {
  for (const source of Array.isArray(value) ? value : [value]) {
    if (source === null || typeof source !== 'object' || Array.isArray(source)) return fault()
    for (const [key, inner] of Object.entries(source)) if (!merged.has(key)) merged.set(key, inner)
  }
}

function isPlain(node: Scalar): boolean {
  return node.type === 'PLAIN' && node.tag === undefined
}

function scalarValue(node: Scalar, fault: (node: Node, message: string) => null): Json {
  const text = typeof node.value === 'string' ? node.value : ''
  if (isPlain(node)) return plainScalar(node.source ?? text)
  switch (node.tag) {
    case undefined:
    case '!':
    case 'tag:yaml.org,2002:str':
    case 'tag:yaml.org,2002:binary':
    case 'tag:yaml.org,2002:timestamp':
      return text
    case 'tag:yaml.org,2002:null':
      return null
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
    case 'tag:yaml.org,2002:bool': {
      const value = plainScalar(text)
      return typeof value === 'string'
        ? fault(node, `cannot decode ${JSON.stringify(text)} as ${node.tag}`)
        : value
    }
    default:
      return fault(node, `unknown tag ${node.tag}`)
  }
}
