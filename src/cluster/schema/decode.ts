import { didYouMean } from '../../text/nearestName.js'
import { canonicalQuantity, quantityProblem } from '../quantity.js'
import type { Json } from '../yaml/json.js'
import type { Schema, StructSchema } from './field.js'

/** An error of strict decoding, with the message of the API server. */
export interface DecodeProblem {
  readonly path: readonly (string | number)[]
  /** True when the field's name is wrong, not its value. */
  readonly key: boolean
  readonly message: string
  readonly hint?: string | undefined
  /** The other fields that the message names. */
  readonly others?: readonly DecodeProblem[]
}

/** The position of decoding, as in Go's error context: the innermost struct, and field names without indices. */
interface Context {
  readonly path: readonly (string | number)[]
  readonly structName: string
  readonly fields: readonly string[]
  readonly problems: DecodeProblem[]
  /** Empty values are stored: of custom resources. */
  readonly keepsEmpty: boolean
}

/**
 * Decodes a value by its schema as `fieldValidation: Strict` does: unknown fields and wrong types are problems, `null`
 * is the same as absent, and so is the zero value of a field that is no pointer in Go. Empty lists and maps are kept for messages, until
 * `withoutEmpty`. Mirrors sigs.k8s.io/json.
 */
export function decode(
  value: { [key: string]: Json },
  schema: StructSchema,
): { value: Record<string, unknown>; problems: readonly DecodeProblem[]; unknown: readonly string[] } {
  const problems: DecodeProblem[] = []
  const decoded = decodeStruct(value, schema, {
    ...{ path: [], structName: schema.name, fields: [], problems },
    keepsEmpty: schema.custom === true,
  })
  // in the order of the document
  const unknown = problems.filter(({ key }) => key).map(({ message }) => message)
  const sorted = problems.sort((a, b) => inJsonOrder(a.path, b.path))
  return { value: decoded, problems: inOneAnswer(sorted), unknown: unknown.slice(0, maxUnknown) }
}

/** As many unknown fields as an answer names. */
const maxUnknown = 100

/** The API server answers with the first wrong type, or, when there is none, with all unknown fields in one message. */
function inOneAnswer(problems: readonly DecodeProblem[]): DecodeProblem[] {
  const wrongType = problems.find(({ key }) => !key)
  if (wrongType !== undefined) return [wrongType]
  const unknown = problems.slice(0, maxUnknown)
  const [first] = unknown
  if (first === undefined) return []
  const message = `strict decoding error: ${unknown.map((problem) => problem.message).join(', ')}`
  return [{ ...first, message, others: unknown.slice(1) }]
}

/** The order of fields in the JSON that kubectl makes of YAML: by name. */
function inJsonOrder(a: DecodeProblem['path'], b: DecodeProblem['path']): number {
  const at = a.findIndex((step, index) => step !== b[index])
  const [one, other] = [a[at], b[at]]
  if (at === -1 || one === undefined || other === undefined) return a.length - b.length
  return one < other ? -1 : 1
}

function decodeStruct(
  value: { [key: string]: Json },
  schema: StructSchema,
  context: Context,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined
    if (field !== undefined && isScalar(inner, field)) {
      if (context.keepsEmpty || !isZero(inner, field) || schema.always.includes(name)) result[name] = inner
      continue
    }
    const path = [...context.path, name]
    if (field === undefined) {
      context.problems.push({
        path,
        key: true,
        message: `unknown field "${fieldPath(path)}"`,
        hint: didYouMean(name, Object.keys(schema.fields)),
      })
    } else if (inner !== null) {
      const embedded = schema.embedded?.[name]
      const fields = [...context.fields, ...(embedded === undefined ? [] : [embedded]), name]
      result[name] = decodeValue(inner, field, { ...context, path, fields, structName: schema.name })
    }
  }
  for (const name of schema.always) result[name] ??= zeroValue(schema.fields[name]!)
  return result
}

/** Whether a field with this value is, for Go, the same as one that is not set. */
function isZero(value: Json, schema: Schema): boolean {
  return isZeroable(schema) && (value === '' || value === 0 || value === false)
}

function isZeroable(schema: Schema): boolean {
  return !('pointer' in schema) && schema.kind !== 'quantity'
}

/** True for a value that is decoded as it is; most are, and need no context. */
function isScalar(value: Json, { kind }: Schema): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string'
    case 'bool':
      return typeof value === 'boolean'
    case 'int32':
    case 'int64':
    case 'uint32':
      return fits(value, kind)
    case 'float32':
      return typeof value === 'number'
    case 'intOrString':
      return typeof value === 'string' || fits(value, 'int32')
    default:
      return false
  }
}

function decodeValue(value: Json, schema: Schema, context: Context): unknown {
  switch (schema.kind) {
    case 'bytes':
      return typeof value === 'string' ? bytes(value, context) : mismatch(value, schema, context)
    case 'quantity':
      return decodeQuantity(value, context)
    case 'any':
      return schema.shape === 'any' || isObject(value) ? value : mismatch(value, schema, context)
    case 'struct':
      return isObject(value) ? decodeStruct(value, schema, context) : mismatch(value, schema, context)
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, schema, context)
      return value.map((item, index) => decodeElement(item, schema.of, context, index))
    case 'map':
      if (!isObject(value)) return mismatch(value, schema, context)
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, decodeElement(item, schema.of, context, key)]),
      )
    default:
      return isScalar(value, schema) ? value : mismatch(value, schema, context)
  }
}

function decodeElement(value: Json, schema: Schema, context: Context, step: string | number): unknown {
  if (isScalar(value, schema)) return value
  return value === null
    ? zeroValue(schema)
    : decodeValue(value, schema, { ...context, path: [...context.path, step] })
}

function zeroValue(schema: Schema): unknown {
  switch (schema.kind) {
    case 'string':
    case 'bytes':
      return ''
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'float32':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    case 'list':
      return []
    case 'struct':
      return decodeStruct({}, schema, {
        path: [],
        structName: '',
        fields: [],
        problems: [],
        keepsEmpty: true,
      })
    default:
      return {}
  }
}

function decodeQuantity(value: Json, context: Context): string {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  const problem = quantityProblem(text)
  if (problem === undefined) return canonicalQuantity(text)
  addProblem(context, problem, 'an amount is a number with a unit, such as 250m or 64Mi')
  return '0'
}

/** Base64 as Go reads it: line breaks are ignored, padding is required (encoding/base64, StdEncoding). */
function bytes(value: string, context: Context): string {
  const plain = value.replace(/[\r\n]/g, '')
  const valid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)
  if (valid) return plain
  const wrong = plain.search(/[^A-Za-z0-9+/]/)
  const offset = wrong === -1 ? plain.length - (plain.length % 4) : wrong
  addProblem(context, `illegal base64 data at input byte ${offset}`, 'stringData takes text as it is')
  return ''
}

function mismatch(value: Json, schema: Schema, context: Context): unknown {
  const where = [context.structName, ...context.fields].join('.')
  // Kubernetes does not read words like `yes` and `y`, and versions like 1.10, as text unless they are quoted.
  const quotable = schema.kind === 'string' && (typeof value === 'boolean' || typeof value === 'number')
  addProblem(
    context,
    `json: cannot unmarshal ${jsonType(value, schema)} into Go struct field ${where} of type ${schema.goType}`,
    quotable ? 'quotes make it text' : undefined,
  )
  return zeroValue(schema)
}

function addProblem(context: Context, message: string, hint?: string): void {
  context.problems.push({ path: context.path, key: false, message, hint })
}

function fits(value: Json, type: 'int32' | 'int64' | 'uint32'): boolean {
  const limit = { int32: 2 ** 31, int64: 2 ** 63, uint32: 2 ** 32 }[type]
  const least = type === 'uint32' ? 0 : -limit
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value < limit
}

// Go includes the number only when an integer is expected, and its size or its fraction is wrong.
function jsonType(value: Json, { kind, goType }: Schema): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number')
    return goType.startsWith('int') || kind === 'uint32' ? `number ${value}` : 'number'
  return value === null ? 'null' : typeof value === 'boolean' ? 'bool' : typeof value
}

/** True for a JSON object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A path in the format of answers: `spec.ports[0].port`. */
export function fieldPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
}
