import { canonicalJson } from '../../../cluster/hash.js'
import { isObject } from '../../../cluster/schema/decode.js'
import type { Json } from '../../../cluster/yaml/json.js'
import { badRequest } from '../../status.js'
import { unprocessable } from '../writeErrors.js'

type Operation = Readonly<Record<string, Json>>

/** Applies a JSON patch (RFC 6902); throws a 400 or 422 Status. */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch) || !patch.every(isObject))
    throw badRequest('error decoding patch: a JSON patch is a list of operations')
  return patch.reduce<Json>((value, operation) => applied(value, operation), target)
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
      read(target, path)
      return path.length === 0 ? value : added(removed(target, path), path, value)
    case 'move': {
      const from = pointer(operation, 'from')
      return added(removed(target, from), path, read(target, from))
    }
    case 'copy':
      return added(target, path, read(target, pointer(operation, 'from')))
    case 'test':
      if (canonicalJson(read(target, path)) === canonicalJson(value)) return target
      throw unprocessable(`testing value /${path.join('/')} failed`)
    default:
      throw badRequest(`error decoding patch: unexpected operation ${JSON.stringify(op)}`)
  }
}

function pointer(operation: Operation, field: 'path' | 'from'): string[] {
  const text = operation[field]
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/')))
    throw badRequest(`error decoding patch: "${field}" is not a JSON pointer`)
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
