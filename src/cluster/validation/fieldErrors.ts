import { fieldPath } from '../schema/decode.js'
import { didYouMean } from '../../text/nearestName.js'

export type Path = readonly (string | number)[]

/** An invalid field: its path, and the message of the API server (path included). */
export interface FieldError {
  readonly path: Path
  readonly message: string
  readonly hint?: string | undefined
  /** The address or port that another object uses, so that the message can point at that object. */
  readonly takenValue?: string | undefined
  /** True for a failure that is not about a field: its message does not name the object. */
  readonly isInternal?: boolean
}

// One function per error type, as in apimachinery's field package (pkg/util/validation/field/errors.go).

/** A value that breaks a rule. */
export function invalid(path: Path, value: unknown, detail: string, hint?: string): FieldError {
  return fieldError(path, `Invalid value: ${JSON.stringify(value) ?? 'null'}: ${detail}`, hint)
}

/** A missing value. */
export function required(path: Path, detail = ''): FieldError {
  return fieldError(path, detail === '' ? 'Required value' : `Required value: ${detail}`)
}

/** A value that is not in a closed list. */
export function notSupported(path: Path, value: string, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(', ')
  return fieldError(
    path,
    `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
    didYouMean(value, supported),
  )
}

/** A repeated value. */
export function duplicate(path: Path, value: unknown): FieldError {
  return fieldError(path, `Duplicate value: ${JSON.stringify(value)}`)
}

/** A field that may not be set. */
export function forbidden(path: Path, detail: string): FieldError {
  return fieldError(path, `Forbidden: ${detail}`)
}

/** An error at a key of a map, which Kubernetes writes in brackets: `data[tls.crt]`. */
export function atKey(field: string, key: string, error: FieldError): FieldError {
  return { ...error, message: error.message.replace(`${field}.${key}`, () => `${field}[${key}]`) }
}

/** A reference to an object that does not exist. */
export function notFound(path: Path, value: string, hint?: string): FieldError {
  return fieldError(path, `Not found: ${JSON.stringify(value)}`, hint)
}

/** A failure of the API server itself. */
export function internalError(path: Path, detail: string): FieldError {
  return { path, message: `Internal error occurred: ${detail}`, isInternal: true }
}

/** A list that is too long. */
export function tooMany(path: Path, count: number, most: number): FieldError {
  return fieldError(path, `Too many: ${count}: must have at most ${most} items`)
}

/** A list that is too short, in the words of a CRD's schema. */
export function tooFew(path: Path, count: number, least: number): FieldError {
  return invalid(path, count, `${fieldPath(path)} in body should have at least ${least} items`)
}

/** Text or data that is too long, in bytes. */
export function tooLong(path: Path, most: number): FieldError {
  return fieldError(path, `Too long: may not be more than ${most} bytes`)
}

/** The whole message for one field of an object, as kubectl prints it. */
export function invalidObject(kind: string, name: string, error: FieldError): string {
  return error.isInternal === true ? error.message : `The ${kind} "${name}" is invalid: ${error.message}`
}

/** Adds items to a list; `push(...items)` exhausts the stack for the 100,000 items of a hostile file. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}

/** Requires a whole number of at least `least`. */
export function atLeast(path: Path, value: number | undefined, least: number): FieldError[] {
  if (value === undefined || value >= least) return []
  return [invalid(path, value, `must be greater than or equal to ${least}`)]
}

/** Requires a non-negative number or a percentage; the caller handles undefined. */
export function intOrPercent(path: Path, value: unknown): FieldError[] {
  if (typeof value === 'number') return atLeast(path, value, 0)
  return value === undefined || (typeof value === 'string' && /^\d+%$/.test(value))
    ? []
    : [invalid(path, value, "a valid percent string must be a numeric string followed by an ending '%'")]
}

/** Requires a value of a closed list; undefined passes. */
export function oneOf(path: Path, value: string | undefined, supported: readonly string[]): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)]
}

function fieldError(path: Path, text: string, hint?: string): FieldError {
  return { path, message: `${fieldPath(path) || '[]'}: ${text}`, hint }
}
