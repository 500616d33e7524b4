import { canonicalJson, sameJson } from '../../../cluster/hash.js'
import { isObject } from '../../../cluster/schema/decode.js'
import { keyDefaults, mergedFieldAt } from '../../../cluster/schema/mergeKeys.js'
import type { FieldSet } from '../../../cluster/types.js'
import type { Json } from '../../../cluster/yaml/json.js'

const leaf: FieldSet = {}

const atomicMaps = new Set(
  ['selector', 'podSelector', 'nodeSelector'].concat(['fieldRef', 'configMapKeyRef', 'secretKeyRef']),
)

/** Whether server-side apply replaces the map at a path whole. */
export function isAtomicMap(path: readonly string[]): boolean {
  return atomicMaps.has(path.at(-1) ?? '')
}

/** Fields that Go writes for every object of a kind: a writer manages what is in them, and not the field. */
const always = new Set([
  ...[
    'metadata',
    'status',
    'status.loadBalancer',
    'spec',
    'spec.containers',
    'spec.strategy',
    'spec.updateStrategy',
  ],
  ...['spec', 'spec.jobTemplate.spec'].flatMap((spec) =>
    ['template', 'template.metadata', 'template.spec', 'template.spec.containers'].map(
      (field) => `${spec}.${field}`,
    ),
  ),
  ...['spec.jobTemplate', 'spec.jobTemplate.metadata', 'spec.jobTemplate.spec'],
])

/**
 * All fields of a value; `path` has the names of its parents. Those of an `added` value have its maps and lists too: who
 * applies a value manages only what is in them.
 */
export function fieldsOf(value: Json, path: readonly string[] = [], added = false): FieldSet {
  const member = added && path.length > 0 && !always.has(path.join('.')) ? { '.': leaf } : leaf
  if (isObject(value)) {
    if (isAtomicMap(path)) return leaf
    const isWritten = (key: string, inner: Json) =>
      inner !== null && !(added && isObject(inner) && isBlank(inner) && always.has([...path, key].join('.')))
    const fields = Object.entries(value).filter(([key, inner]) => isWritten(key, inner))
    if (fields.length === 0) return leaf
    const inner = fields.map(([key, one]) => [`f:${key}`, fieldsOf(one, [...path, key], added)] as const)
    return { ...member, ...Object.fromEntries(inner) }
  }
  if (!Array.isArray(value)) return leaf
  const items = itemsOf(value, path)
  if (items === undefined || items.size === 0) return leaf
  const inner = [...items].map(
    ([step, item]) => [step, isObject(item) ? { '.': leaf, ...fieldsOf(item, path, added) } : leaf] as const,
  )
  return { ...member, ...Object.fromEntries(inner) }
}

function isBlank(value: { [key: string]: Json }): boolean {
  return Object.keys(value).length === 0
}

/** The items of a list by their step in a field set; undefined for a list that is replaced whole. */
export function itemsOf(list: readonly Json[], path: readonly string[]): Map<string, Json> | undefined {
  const type = mergedFieldAt(path)
  if (type === undefined) return undefined
  return new Map(list.map((item) => [stepOf(item, type.keys), item]))
}

function stepOf(item: Json, keys: readonly string[] | undefined): string {
  if (keys === undefined || !isObject(item)) return `v:${JSON.stringify(item)}`
  const values = keys.flatMap((key) => {
    const value = item[key] ?? keyDefaults[key]
    return value === undefined ? [] : [[key, value] as const]
  })
  return `k:${canonicalJson(Object.fromEntries(values))}`
}

/** The fields that differ between two values: changed, added or removed; undefined when there are none. */
export function changedFields(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[] = [],
): FieldSet | undefined {
  if (before === undefined || after === undefined)
    return before === after ? undefined : fieldsOf(before ?? after ?? null, path, true)
  if (sameJson(before, after)) return undefined
  if (isObject(before) && isObject(after) && !isAtomicMap(path))
    return changedSteps(entriesOf(before), entriesOf(after), (step) => [...path, step.slice(2)])
  if (!Array.isArray(before) || !Array.isArray(after)) return leaf
  const [old, now] = [itemsOf(before, path), itemsOf(after, path)]
  if (old === undefined || now === undefined) return leaf
  return changedSteps(old, now, () => path, true)
}

function entriesOf(value: { [key: string]: Json }): Map<string, Json> {
  return new Map(Object.entries(value).map(([key, inner]) => [`f:${key}`, inner]))
}

function changedSteps(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  pathOf: (step: string) => readonly string[],
  items = false,
): FieldSet | undefined {
  const steps = [...new Set([...before.keys(), ...after.keys()])].flatMap((step) => {
    const changed = changedFields(before.get(step), after.get(step), pathOf(step))
    if (changed === undefined) return []
    const whole = items && before.has(step) !== after.has(step) && step.startsWith('k:')
    return [[step, whole ? { '.': leaf, ...changed } : changed] as const]
  })
  return steps.length === 0 ? undefined : Object.fromEntries(steps)
}

/** The fields of both sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  const merged = new Map(Object.entries(a))
  for (const [step, inner] of Object.entries(b)) {
    const other = merged.get(step)
    merged.set(step, other === undefined ? inner : unionAt(other, inner))
  }
  return Object.fromEntries(merged)
}

function unionAt(a: FieldSet, b: FieldSet): FieldSet {
  return isEmpty(a) === isEmpty(b) ? union(a, b) : { '.': leaf, ...a, ...b }
}

/** Whether a field itself is in the set that it has below its step, besides fields below it. */
function isMember(set: FieldSet): boolean {
  return isEmpty(set) || set['.'] !== undefined
}

/** Whether a set has no fields besides the field at its step. */
function hasNoneBelow(set: FieldSet): boolean {
  return Object.keys(set).every((step) => step === '.')
}

/** The fields of a set that are not in another one. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return Object.fromEntries(
    Object.entries(a).flatMap(([step, inner]) => {
      const other = Object.hasOwn(b, step) ? b[step] : undefined
      if (other === undefined) return [[step, inner]]
      if (isEmpty(inner)) return isMember(other) ? [] : [[step, inner]]
      const rest = difference(inner, isEmpty(other) ? { '.': leaf } : other)
      if (isEmpty(rest)) return []
      return [[step, hasNoneBelow(rest) ? leaf : rest]]
    }),
  )
}

/** The fields that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return Object.fromEntries(
    Object.entries(a).flatMap(([step, inner]) => {
      const other = Object.hasOwn(b, step) ? b[step] : undefined
      if (other === undefined) return []
      const below = intersection(inner, other)
      if (!hasNoneBelow(below)) return [[step, below]]
      return isMember(inner) && isMember(other) ? [[step, leaf]] : []
    }),
  )
}

/** A set with the parents of its fields. */
export function withParents(set: FieldSet): FieldSet {
  const below = Object.entries(set).map(([step, inner]) => [step, withParents(inner)] as const)
  return below.length === 0 ? leaf : { '.': leaf, ...Object.fromEntries(below) }
}

/** Whether a set has no fields; a field of another set with this value is a leaf. */
export function isEmpty(set: FieldSet): boolean {
  return Object.keys(set).length === 0
}

/** The leaves of a set as paths in messages: `.spec.ports[port=80,protocol="TCP"].name`. */
export function fieldTexts(set: FieldSet, prefix = ''): string[] {
  return Object.entries(set).flatMap(([step, inner]) => {
    if (step === '.') return []
    const text = prefix + stepText(step)
    return isEmpty(inner) || Object.keys(inner).every((one) => one === '.') ? [text] : fieldTexts(inner, text)
  })
}

function stepText(step: string): string {
  const [kind, rest] = [step.slice(0, 2), step.slice(2)]
  if (kind === 'f:') return `.${rest}`
  if (kind === 'v:') return `[=${rest}]`
  const keys = Object.entries(JSON.parse(rest) as Record<string, Json>)
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}

/** A value without the fields of a set; parents that become empty are removed with them. */
export function withoutFields(value: Json, set: FieldSet, path: readonly string[] = []): Json {
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        const fields = set[`f:${key}`]
        if (fields === undefined) return [[key, inner]]
        if (isEmpty(fields)) return []
        const rest = withoutFields(inner, fields, [...path, key])
        const emptied = typeof rest === 'object' && rest !== null && Object.keys(rest).length === 0
        return emptied ? [] : [[key, rest]]
      }),
    )
  if (!Array.isArray(value)) return value
  return [...(itemsOf(value, path) ?? [])].flatMap(([step, item]) => {
    const fields = set[step]
    if (fields === undefined) return [item]
    return isEmpty(fields) || fields['.'] !== undefined ? [] : [withoutFields(item, fields, path)]
  })
}
