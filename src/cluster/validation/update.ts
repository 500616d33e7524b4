import { sameJson } from '../hash.js'
import type { KubeObject } from '../types.js'
import { forbidden, invalid } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'

/** The errors of an update, besides those of the object itself. */
export type ValidateUpdate<Of extends KubeObject = KubeObject> = (before: Of, next: Of) => FieldError[]

/** Rejects changes of a field. */
export function immutableField(path: readonly string[], detail = 'field is immutable'): ValidateUpdate {
  return (before, next) => {
    const value = valueAt(next, path)
    return isSame(valueAt(before, path), value) ? [] : [invalid(path, value, detail)]
  }
}

/** Rejects changes of these fields when `immutable` is set. */
export function immutableData(fields: readonly string[]): ValidateUpdate {
  return (before, next) =>
    fields
      .filter(() => valueAt(before, ['immutable']) === true)
      .filter((field) => !isSame(valueAt(before, [field]), valueAt(next, [field])))
      .map((field) => forbidden([field], 'field is immutable when `immutable` is set'))
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], root)
}

/** True for equal values; an absent one is the same as null. */
export function isSame(a: unknown, b: unknown): boolean {
  return sameJson(a ?? null, b ?? null)
}
