import type { Schema, StructSchema } from '../../cluster/schema/field.js'
import { mergedFieldOf, type MergedField } from '../../cluster/schema/mergeKeys.js'
import { labelSelector, objectMeta } from '../../cluster/schema/metadata.js'
import type { Resource } from '../resources.js'

/** A value of an OpenAPI v3 document. */
export type OpenApi = Readonly<Record<string, unknown>>

const opaque = { 'x-kubernetes-preserve-unknown-fields': true }
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity'

/** The structs of some resources as `components.schemas`: each is defined once and referred to by name. */
export function componentsOf(resources: readonly Resource[]): Readonly<Record<string, OpenApi>> {
  const components = new Map<string, OpenApi>([
    [intOrString, { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }],
    [quantity, { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  ])
  const define = (schema: StructSchema, pack: string): string => {
    const name = `${pack}.${schema.name}`
    if (components.has(name)) return name
    // Reserved first: a struct may contain itself.
    components.set(name, {})
    const properties = Object.entries(schema.fields).map(([field, type]) => [
      field,
      { ...write(type, pack), ...extensions(mergedFieldOf(schema.name, field)) },
    ])
    components.set(name, { type: 'object', properties: Object.fromEntries(properties) })
    return name
  }
  const write = (schema: Schema, pack: string): OpenApi => {
    switch (schema.kind) {
      case 'struct':
        // Like the API server's, in `allOf`: fields beside a `$ref` would be ignored.
        return { allOf: [reference(define(schema, metaStructs.has(schema) ? meta : pack))] }
      case 'list':
        return { type: 'array', items: write(schema.of, pack) }
      case 'map':
        return { type: 'object', additionalProperties: write(schema.of, pack) }
      case 'intOrString':
        return { allOf: [reference(intOrString)] }
      case 'quantity':
        return { allOf: [reference(quantity)] }
      case 'any':
        return { ...(anyTypes[schema.shape] ?? {}), ...opaque }
      default:
        return scalars[schema.kind]
    }
  }
  for (const resource of resources) {
    const pack = packageOf(resource)
    const name = define(schemaOf(resource), pack)
    const identity = { group: resource.group, kind: resource.kind, version: resource.version }
    components.set(name, {
      ...components.get(name),
      'x-kubernetes-group-version-kind': [identity],
    })
  }
  return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const metaStructs: ReadonlySet<StructSchema> = new Set([objectMeta, labelSelector])

const anyTypes: Readonly<Record<string, OpenApi>> = {
  object: { type: 'object' },
  list: { type: 'array', items: opaque },
}

const scalars = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'int64' },
  float32: { type: 'number', format: 'float' },
  int64: { type: 'integer', format: 'int64' },
} as const

/** The schema of a kind; of a resource that the API only shows, the fields that its objects always have. */
function schemaOf(resource: Resource & { readonly schema?: StructSchema }): StructSchema {
  if (resource.schema !== undefined) return resource.schema
  const shown = Object.keys(resource.blank).map((field): [string, Schema] => [
    field,
    { kind: 'any', shape: 'any', goType: '' },
  ])
  const named: Schema = { kind: 'string', goType: 'string' }
  const fields = { apiVersion: named, kind: named, metadata: objectMeta, ...Object.fromEntries(shown) }
  return { kind: 'struct', name: resource.kind, goType: `v1.${resource.kind}`, fields, always: [] }
}

/** The name that the API server gives to a Go package: `io.k8s.api.core.v1`. */
function packageOf({ group, version }: Resource): string {
  const labels = group.split('.')
  if (labels.length > 3) return `${labels.toReversed().join('.')}.${version}`
  return `io.k8s.api.${labels[0] || 'core'}.${version}`
}

/** A reference to a component. */
export function reference(name: string): OpenApi {
  return { $ref: `#/components/schemas/${name}` }
}

/** The component of a resource's objects. */
export function componentName(resource: Resource): string {
  return `${packageOf(resource)}.${resource.kind}`
}

function extensions({ strategy, mergeKey }: MergedField = {}): OpenApi {
  return {
    ...(mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(strategy === undefined ? {} : { 'x-kubernetes-patch-strategy': strategy }),
  }
}
