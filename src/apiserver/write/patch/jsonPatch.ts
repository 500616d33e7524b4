import { sameJson } from '../../../cluster/hash.js'
import { text } from '../../../cluster/manifests/loose.js'
import { isObject } from '../../../cluster/schema/decode.js'
import type { Json, JsonObject } from '../../../cluster/yaml/json.js'
import { isTooDeep, tooDeepMessage } from '../../../cluster/yaml/limits.js'
import { requestTooLarge, type StatusError } from '../../status.js'
import { cannotUnmarshal, UnprocessablePatch } from '../writeErrors.js'

type Operation = Readonly<Record<string, Json>>

/** The limit of the API server (maxJSONPatchOperations in its patch.go). */
const maxOperations = 10_000

/** How many bytes of JSON a patch may copy: as many as a request may have (AccumulatedCopySizeLimit of evanphx/json-patch). */
const maxCopiedBytes = 3 * 2 ** 20

/** Applies a JSON patch (RFC 6902), which may change the target; throws a 400, 413 or 422 Status. */
export function jsonPatch(target: Json, patch: Json): Json {
  const wrong = Array.isArray(patch) ? patch.find((operation) => !isObject(operation)) : patch
  if (!Array.isArray(patch) || wrong !== undefined)
    throw cannotUnmarshal(wrong, `${Array.isArray(patch) ? '' : '[]'}handlers.jsonPatchOp`)
  if (patch.length > maxOperations)
    throw requestTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    )
  const copied = { bytes: 0 }
  const result = patch
    .filter(isObject)
    .reduce<Json>((value, operation) => applied(value, operation, copied), target)
  if (isTooDeep(result)) throw tooDeep()
  return result
}

function applied(target: Json, operation: Operation, copied: { bytes: number }): Json {
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
      const moved = read(target, from)
      return added(removed(target, from), path, moved)
    }
    case 'copy':
      return added(target, path, copyOf(readOrNull(target, pointer(operation, 'from')), copied))
    case 'test':
      if (sameJson(read(target, path), value)) return target
      throw new UnprocessablePatch(`testing value /${path.join('/')} failed`)
    default:
      throw new UnprocessablePatch(`unexpected kind: ${text(op)}`)
  }
}

/** A deep copy, whose size is counted; throws a 422 Status in the words of evanphx/json-patch. */
function copyOf(value: Json, copied: { bytes: number }): Json {
  // a move makes a value deeper than a request can have it
  if (isTooDeep(value)) throw tooDeep()
  const json = JSON.stringify(value)
  copied.bytes += Buffer.byteLength(json)
  if (copied.bytes > maxCopiedBytes)
    throw new UnprocessablePatch(
      `Unable to complete the copy, the accumulated size increase of copy is ${copied.bytes}, exceeding the limit ${maxCopiedBytes}`,
    )
  return JSON.parse(json) as Json
}

function tooDeep(): StatusError {
  return new UnprocessablePatch(`the patched object is ${tooDeepMessage}`)
}

function pointer(operation: Operation, field: 'path' | 'from'): string[] {
  const text = operation[field]
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/')))
    throw new UnprocessablePatch(`"${field}" is not a JSON pointer`)
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
      if (Array.isArray(parent))
        parent.splice(step === '-' ? parent.length : indexOf(parent, step, parent.length, path), 0, value)
      else setField(parent, step, value)
    },
    value,
  )
}

/** A field that an object does not have is added; an item of a list must exist. */
function replaced(target: Json, path: readonly string[], value: Json): Json {
  return edited(
    target,
    path,
    (parent, step) => {
      if (Array.isArray(parent)) parent[indexOf(parent, step, parent.length - 1, path)] = value
      else setField(parent, step, value)
    },
    value,
  )
}

/** Sets a field as JSON.parse does, of any name: an assignment of `__proto__` would change the prototype. */
function setField(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
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
      if (Array.isArray(parent)) parent.splice(indexOf(parent, step, parent.length - 1, path), 1)
      else delete parent[step]
    },
    null,
  )
}

/**
 * The target with the parent of a path edited; the whole document at the empty path. It is edited in place: ten thousand copies of a
 * long list take minutes.
 */
function edited(
  target: Json,
  path: readonly string[],
  edit: (parent: Json[] | JsonObject, step: string) => void,
  whole: Json,
): Json {
  const step = path.at(-1)
  if (step === undefined) return whole
  const parent = read(target, path.slice(0, -1))
  if (!Array.isArray(parent) && !isObject(parent)) throw missing(path)
  edit(parent, step)
  return target
}

function indexOf(list: readonly Json[], step: string, most: number, path: readonly string[]): number {
  const index = Number(step)
  if (!/^(?:0|[1-9]\d*)$/.test(step) || index > most || list.length < index) throw missing(path)
  return index
}

function missing(path: readonly string[]) {
  return new UnprocessablePatch(`the path /${path.join('/')} does not exist: missing value`)
}
