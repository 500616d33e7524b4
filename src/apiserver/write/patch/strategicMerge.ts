import { canonicalJson } from '../../../cluster/hash.js'
import { isObject } from '../../../cluster/schema/decode.js'
import { mergedFieldAt } from '../../../cluster/schema/mergeKeys.js'
import type { Json } from '../../../cluster/yaml/json.js'
import { StatusError } from '../../status.js'

type JsonMap = { [key: string]: Json }

const directive = '$patch'
const retainKeys = '$retainKeys'
const orderPrefix = '$setElementOrder/'
const deletePrefix = '$deleteFromPrimitiveList/'

/** Applies a strategic merge patch with its directives (apimachinery's pkg/util/strategicpatch). */
export function strategicMerge(target: JsonMap, patch: JsonMap): JsonMap {
  return mergedMap(target, patch, [])
}

function mergedMap(target: JsonMap, patch: JsonMap, path: readonly string[]): JsonMap {
  if (patch[directive] === 'replace') return withoutDirectives(patch)
  if (patch[directive] === 'delete') return {}
  const type = patch[directive]
  if (type !== undefined && type !== 'merge')
    throw internalError(`unknown patch type: ${goText(type)} in map: ${goText(patch)}`)
  const retained = patch[retainKeys]
  const base = Array.isArray(retained)
    ? Object.fromEntries(Object.entries(target).filter(([key]) => retained.includes(key)))
    : target
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue
    const field = [...path, key]
    const before = merged.get(key)
    if (value === null) merged.delete(key)
    else if (isObject(value)) {
      const replaced = value[directive] === 'delete'
      if (replaced) merged.delete(key)
      else merged.set(key, mergedMap(isObject(before) ? before : {}, value, field))
    } else if (Array.isArray(value)) merged.set(key, mergedList(before, value, field))
    else merged.set(key, value)
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deletePrefix) && Array.isArray(value)) {
      const list = key.slice(deletePrefix.length)
      const before = merged.get(list)
      if (Array.isArray(before))
        merged.set(
          list,
          before.filter((item) => !value.includes(item)),
        )
    }
    if (key.startsWith(orderPrefix) && Array.isArray(value)) {
      const list = key.slice(orderPrefix.length)
      const before = merged.get(list)
      if (Array.isArray(before)) merged.set(list, ordered(before, value, [...path, list]))
    }
  }
  return Object.fromEntries(merged)
}

function mergedList(target: Json | undefined, patch: readonly Json[], path: readonly string[]): Json[] {
  const before = Array.isArray(target) ? target : []
  const type = mergedFieldAt(path)
  const replacing = patch.some((item) => isObject(item) && item[directive] === 'replace')
  if (type === undefined || replacing)
    return patch.filter((item) => !(isObject(item) && item[directive] === 'replace')).map(plain)
  const { mergeKey } = type
  if (mergeKey === undefined) return [...before, ...patch.filter((item) => !before.includes(item))]
  const merged = [...before]
  for (const item of patch) {
    const key = mergeKeyText(item, mergeKey)
    const index = merged.findIndex((one) => isObject(one) && canonicalJson(one[mergeKey]) === key)
    const present = merged[index]
    if (isObject(item) && item[directive] === 'delete') {
      if (index >= 0) merged.splice(index, 1)
    } else if (isObject(item) && isObject(present)) merged[index] = mergedMap(present, item, path)
    else merged.push(plain(item))
  }
  return merged
}

function mergeKeyText(item: Json, mergeKey: string): string {
  const key = isObject(item) ? item[mergeKey] : undefined
  if (key === undefined)
    throw internalError(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`)
  return canonicalJson(key)
}

function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', message)
}

/** A JSON value as Go's fmt prints it. */
export function goText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isObject(value)) return value === null ? '<nil>' : String(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[${entries.map(([key, one]) => `${key}:${goText(one)}`).join(' ')}]`
}

/** Items in the order of the patch; those that it does not name keep their place behind the item before them. */
function ordered(list: readonly Json[], order: readonly Json[], path: readonly string[]): Json[] {
  const { mergeKey } = mergedFieldAt(path) ?? {}
  const identity = (item: Json) =>
    canonicalJson(mergeKey !== undefined && isObject(item) ? item[mergeKey] : item)
  const places = new Map(order.map((item, index) => [identity(item), index]))
  let last = -1
  const placed = list.map((item) => {
    last = places.get(identity(item)) ?? last
    return { item, place: places.get(identity(item)) ?? last + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

/** A value that is new to the object: without directives and null values. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain)
  return isObject(value) ? withoutDirectives(value) : value
}

function withoutDirectives(value: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !key.startsWith('$') && inner !== null)
      .map(([key, inner]) => [key, plain(inner)]),
  )
}
