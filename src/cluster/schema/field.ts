/** The schema of a field for strict decoding: its Go type, as far as messages contain it. */
export type Schema =
  | {
      readonly kind:
        'string' | 'bytes' | 'int32' | 'int64' | 'uint32' | 'float32' | 'bool' | 'intOrString' | 'quantity'
      readonly goType: string
      /** The Go field is a pointer: a zero value that is written is not the same as none. */
      readonly pointer?: true
    }
  | { readonly kind: 'any'; readonly shape: 'any' | 'object' | 'list'; readonly goType: string }
  | { readonly kind: 'list' | 'map'; readonly of: Schema; readonly goType: string }
  | StructSchema

/** A Go struct: its fields by their JSON name. */
export interface StructSchema {
  readonly kind: 'struct'
  readonly goType: string
  readonly name: string
  readonly fields: Readonly<Record<string, Schema>>
  /** Fields that always exist, with the zero value when they were not written, as in Go. */
  readonly always: readonly string[]
  /** Go structs that some fields are embedded with, by the name of the field: Go's messages contain them. */
  readonly embedded?: Readonly<Record<string, string>>
  /** A custom resource: the API server stores what is written, empty values too. */
  readonly custom?: true
}

type ScalarSchema = Extract<Schema, { readonly pointer?: true }>

export const string: ScalarSchema = { kind: 'string', goType: 'string' }
export const int32: ScalarSchema = { kind: 'int32', goType: 'int32' }
export const int64: ScalarSchema = { kind: 'int64', goType: 'int64' }
export const bool: ScalarSchema = { kind: 'bool', goType: 'bool' }
export const intOrString: ScalarSchema = { kind: 'intOrString', goType: 'int32' }
/** An amount such as `250m` or `64Mi`; stored as the API server writes it. */
export const quantity: ScalarSchema = { kind: 'quantity', goType: 'resource.Quantity' }
export const strings: Schema = list(string)
export const stringMap: Schema = map(string)
/** Bytes; base64 in JSON. */
export const bytesMap: Schema = map({ kind: 'bytes', goType: '[]uint8' })

/** A string with a named Go type (v1.Protocol); validation, not decoding, checks its values. */
export function stringType(name: string): ScalarSchema {
  return { kind: 'string', goType: `v1.${name}` }
}

/** A field that is a pointer in Go: `""`, `0` and `false` are kept, and only `null` means that it is not set. */
export function pointer(of: ScalarSchema): ScalarSchema {
  return { ...of, pointer: true }
}

/** A list; `null` elements become the zero value. */
export function list(of: Schema): Schema {
  return { kind: 'list', of, goType: `[]${of.goType}` }
}

/** A map from strings. */
export function map(of: Schema): Schema {
  return { kind: 'map', of, goType: `map[string]${of.goType}` }
}

/** A struct; names in `always` are filled with their zero value when missing. */
export function struct(
  name: string,
  fields: Readonly<Record<string, Schema>>,
  always: readonly string[] = [],
): StructSchema {
  return { kind: 'struct', name, goType: `v1.${name}`, fields, always }
}

/** The same struct, with some of its fields embedded as another Go struct. */
export function embedding(schema: StructSchema, name: string, fields: readonly string[]): StructSchema {
  const embedded = Object.fromEntries(fields.map((field) => [field, name]))
  return { ...schema, embedded: { ...schema.embedded, ...embedded } }
}

/** An object without effect on the network; its fields are not checked. */
export function anyObject(name: string): Schema {
  return { kind: 'any', shape: 'object', goType: `v1.${name}` }
}

/** Any value, not checked. */
export const anything: Schema = { kind: 'any', shape: 'any', goType: 'interface {}' }

/** Objects and lists without effect on the network, by field name and Go type. */
export function anyObjects(names: Readonly<Record<string, string>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [field, anyObject(name)]))
}

/** Lists without effect on the network, by field name and the Go type of an element. */
export function anyLists(names: Readonly<Record<string, string>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [field, list(anyObject(name))]))
}
