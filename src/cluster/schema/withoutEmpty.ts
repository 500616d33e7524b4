import { isObject } from './decode.js'
import type { Schema, StructSchema } from './field.js'

/** A decoded value without the empty lists and maps of its structs, which the API server does not store (`omitempty` of Go). */
export function withoutEmpty<Of extends object>(value: Of, schema: StructSchema): Of {
  return schema.custom === true ? value : (stripped(value, schema) as Of)
}

function stripped(value: unknown, schema: Schema): unknown {
  switch (schema.kind) {
    case 'struct':
      return isObject(value) ? strippedFields(value, schema) : value
    case 'list':
      return Array.isArray(value)
        ? sameOr(
            value,
            value.map((item) => stripped(item, schema.of)),
          )
        : value
    default:
      return value
  }
}

function strippedFields(value: Readonly<Record<string, unknown>>, { fields, always }: StructSchema): unknown {
  let changed = false
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const kept = field === undefined ? inner : stripped(inner, field)
    const isDropped = field !== undefined && isEmpty(kept, field) && !always.includes(name)
    changed ||= isDropped || kept !== inner
    if (!isDropped) result[name] = kept
  }
  return changed ? result : value
}

function isEmpty(value: unknown, { kind }: Schema): boolean {
  if (kind === 'list') return Array.isArray(value) && value.length === 0
  return kind === 'map' && isObject(value) && Object.keys(value).length === 0
}

function sameOr(list: readonly unknown[], changed: readonly unknown[]): readonly unknown[] {
  return list.every((item, index) => item === changed[index]) ? list : changed
}
