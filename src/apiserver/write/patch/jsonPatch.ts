import { sameJson } from '../../../cluster/hash.js'
import { text } from '../../../cluster/manifests/loose.js'
import { isObject } from '../../../cluster/schema/decode.js'
import type { Json } from '../../../cluster/yaml/json.js'
import { cannotUnmarshal, unprocessable } from '../writeErrors.js'

type Operation = Readonly<Record<string, Json>>

/** Applies a JSON patch (RFC 6902); throws a 400 or 422 Status. */
export function jsonPatch(target: Json, patch: Json): Json {
  const wrong = Array.isArray(patch) ? patch.find((operation) => !isObject(operation)) : patch
  if (!Array.isArray(patch) || wrong !== undefined)
    throw cannotUnmarshal(wrong, `${Array.isArray(patch) ? '' : '[]'}handlers.jsonPatchOp`)
  return patch.filter(isObject).reduce<Json>((value, operation) => applied(value, operation), target)
}

function applied(target: Json, operation: Operation): Json {
  const { op } = operation
  const path = pointer(operation, 'path')
  const value = operation['value'] ?? null
  switch (op) {
    case 'add':
      return added(target, path, value)
    case 'remove':
      return removed(target, path)
    case 'replace':
      return replaced(target, path, value)
    case 'move': {
      const from = pointer(operation, 'from')
      return added(removed(target, from), path, read(target, from))
    }
    case 'copy':
      return added(target, path, readOrNull(target, pointer(operation, 'from')))
    case 'test':
      if (sameJson(read(target, path), value)) return target
      throw unprocessable(`testing value /${path.join('/')} failed`)
    default:
      throw unprocessable(`unexpected kind: ${text(op)}`)
  }
}

function pointer(operation: Operation, field: 'path' | 'from'): string[] {
  const text = operation[field]
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/')))
    throw unprocessable(`"${field}" is not a JSON pointer`)
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(target: Json, path: readonly string[]): Json {
  return path.reduce<Json>((value, step) => {
    const found = Array.isArray(value)
      ? value[indexOf(value, step, value.length - 1, path)]
      : isObject(value) && Object.hasOwn(value, step)
        ? value[step]
        : undefined
    if (found === undefined) throw missing(path)
    return found
  }, target)
}

function added(target: Json, path: readonly string[], value: Json): Json {
  return edited(
    target,
    path,
    (parent, step) => {
      if (!Array.isArray(parent)) return { ...parent, [step]: value }
      return parent.toSpliced(
        step === '-' ? parent.length : indexOf(parent, step, parent.length, path),
        0,
        value,
      )
    },
    value,
  )
}

/** A field that an object does not have is added; an item of a list must exist. */
function replaced(target: Json, path: readonly string[], value: Json): Json {
  return edited(
    target,
    path,
    (parent, step) =>
      Array.isArray(parent)
        ? parent.with(indexOf(parent, step, parent.length - 1, path), value)
        : { ...parent, [step]: value },
    value,
  )
}

/** The value at a path; null for a field that an object does not have. */
function readOrNull(target: Json, path: readonly string[]): Json {
  const last = path.at(-1)
  const parent = last === undefined ? target : read(target, path.slice(0, -1))
  if (last === undefined || !isObject(parent)) return read(target, path)
  return Object.hasOwn(parent, last) ? (parent[last] ?? null) : null
}

function removed(target: Json, path: readonly string[]): Json {
  read(target, path)
  return edited(
    target,
    path,
    (parent, step) => {
      if (Array.isArray(parent)) return parent.toSpliced(indexOf(parent, step, parent.length - 1, path), 1)
      return Object.fromEntries(Object.entries(parent).filter(([key]) => key !== step))
    },
    null,
  )
}

/** The target with the parent of a path edited; the whole document at the empty path. */
function edited(
  target: Json,
  path: readonly string[],
  edit: (parent: Json[] | { [key: string]: Json }, step: string) => Json,
  whole: Json,
): Json {
  const [step, ...rest] = path
  if (step === undefined) return whole
  if (!Array.isArray(target) && !isObject(target)) throw missing(path)
  if (rest.length === 0) return edit(target, step)
  const inner = edited(read(target, [step]), rest, edit, whole)
  if (Array.isArray(target)) return target.with(indexOf(target, step, target.length - 1, path), inner)
  return { ...target, [step]: inner }
}

function indexOf(list: readonly Json[], step: string, most: number, path: readonly string[]): number {
  const index = Number(step)
  if (!/^(?:0|[1-9]\d*)$/.test(step) || index > most || list.length < index) throw missing(path)
  return index
}

function missing(path: readonly string[]) {
  return unprocessable(`the path /${path.join('/')} does not exist: missing value`)
}
