import { canonicalJson } from '../hash.js'
import { isObject } from '../schema/decode.js'
import type { Schema } from '../schema/field.js'
import { keyDefaults, mergedFieldOf, retainsKeys, type MergedField } from '../schema/mergeKeys.js'
import type { Json } from '../yaml/json.js'

type Fields = Readonly<Record<string, Json>>

/** A value in the last applied manifest, in the cluster, and in the new manifest. */
interface Versions<Value> {
  readonly last: Value | undefined
  readonly live: Value
  readonly written: Value
}

/**
 * The live object with the fields of a new manifest, without those that only the last one had; others stay. Lists are
 * merged by the keys of their items where they have some, and are replaced elsewhere (client-side apply of kubectl).
 */
export function threeWayMerge(
  { last, live, written }: Versions<Fields>,
  schema?: Schema,
  of?: MergedField,
): Record<string, Json> {
  const struct = schema?.kind === 'struct' ? schema : undefined
  const others = Object.entries(live).filter(
    ([key]) =>
      !retainsKeys(of) && !Object.hasOwn(written, key) && !(last !== undefined && Object.hasOwn(last, key)),
  )
  const own = Object.entries(written).flatMap(([key, value]): [string, Json][] => {
    if (value === null) return []
    const before = live[key]
    const inner = struct?.fields[key] ?? (schema?.kind === 'map' ? schema.of : undefined)
    const field = mergedFieldOf(struct?.name ?? '', key)
    const old = last?.[key]
    if (isObject(value) && isObject(before)) {
      const versions = { last: isObject(old) ? old : undefined, live: before, written: value }
      return [[key, threeWayMerge(versions, inner, field)]]
    }
    if (field?.keys === undefined || !Array.isArray(value) || !Array.isArray(before)) return [[key, value]]
    const lists = { last: Array.isArray(old) ? old : [], live: before, written: value }
    return [[key, mergedList(lists, field, inner?.kind === 'list' ? inner.of : undefined)]]
  })
  return Object.fromEntries([...others, ...own])
}

function mergedList(
  { last = [], live, written }: Versions<readonly Json[]>,
  field: MergedField,
  schema: Schema | undefined,
): Json[] {
  const { keys = [] } = field
  const byKey = (items: readonly Json[]) => new Map(items.map((item) => [mergeKeyText(item, keys), item]))
  const [lastItems, liveItems, writtenItems] = [byKey(last), byKey(live), byKey(written)]
  const own = written.map((item) => {
    const key = mergeKeyText(item, keys)
    const before = liveItems.get(key)
    const old = lastItems.get(key)
    if (!isObject(item) || !isObject(before)) return item
    const versions = { last: isObject(old) ? old : undefined, live: before, written: item }
    return threeWayMerge(versions, schema, field)
  })
  const others = live.filter((item) => {
    const key = mergeKeyText(item, keys)
    return !writtenItems.has(key) && !lastItems.has(key)
  })
  return inOrder(own, others, (item) => [...liveItems.keys()].indexOf(mergeKeyText(item, keys)))
}

/** Written items in their order; each other item stays behind the live items before it (mergeSortedSlice). */
function inOrder(own: readonly Json[], others: readonly Json[], place: (item: Json) => number): Json[] {
  const result: Json[] = []
  const rest = [...others]
  for (const item of own) {
    const at = place(item)
    while (rest[0] !== undefined && (at === -1 || place(rest[0]) < at)) result.push(...rest.splice(0, 1))
    result.push(item)
  }
  return [...result, ...rest]
}

function mergeKeyText(item: Json, keys: readonly string[]): string {
  const values = isObject(item) ? item : {}
  return canonicalJson(keys.map((key) => values[key] ?? keyDefaults[key] ?? ''))
}
