import type { KubeObject } from '../cluster/types.js'
import { parseAccept, acceptsJson, yamlType, type MediaRange } from './accept.js'
import type { ObjectList } from './list.js'
import { apiVersionOf } from './resources.js'
import { badRequest, notAcceptable } from './status.js'
import { tableOf, type IncludeObject } from './table.js'

/** The format in which a client wants objects (parameters `as`, `g` and `v` of the accepted media type). */
export type Form =
  | { readonly as: 'object' }
  | { readonly as: 'metadata'; readonly version: string }
  | {
      readonly as: 'table'
      readonly version: string
      readonly include: IncludeObject
      readonly now: () => Date
    }

/** The JSON value of one object in a form; `columns: false` omits the column definitions of a Table. */
export function writeObject(object: KubeObject, form: Form, columns = true): unknown {
  switch (form.as) {
    case 'object':
      return object
    case 'metadata':
      return partial(object, form.version)
    case 'table':
      return tableOf([object], { resourceVersion: object.metadata.resourceVersion }, form, columns)
  }
}

/** The JSON value of a list in a form. */
export function writeList(list: ObjectList, form: Form): unknown {
  const { resource, metadata, items } = list
  switch (form.as) {
    case 'object':
      return {
        kind: `${resource.kind}List`,
        apiVersion: apiVersionOf(resource),
        metadata,
        // The list has kind and apiVersion: like the API server, omit them from the items.
        items: items.map((item) => ({ ...item, kind: undefined, apiVersion: undefined })),
      }
    case 'metadata': {
      const apiVersion = `meta.k8s.io/${form.version}`
      const partials = items.map((item) => partial(item, form.version))
      return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items: partials }
    }
    case 'table':
      return tableOf(items, metadata, { ...form, resource }, true)
  }
}

function partial(object: KubeObject, version: string): unknown {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}

/** The form that a request accepts; throws a 406 Status when no accepted form is supported. */
export function negotiateForm(
  accept: string | undefined,
  query: URLSearchParams,
  listing: boolean,
  now: () => Date,
): Form {
  for (const range of parseAccept(accept)) {
    if (!acceptsJson(range) && range.type !== yamlType) continue
    const form = formOf(range, query, listing, now)
    if (form !== undefined) return form
  }
  throw notAcceptable(['application/json', yamlType, 'application/json;as=Table;g=meta.k8s.io;v=v1'])
}

function formOf(
  { parameters }: MediaRange,
  query: URLSearchParams,
  listing: boolean,
  now: () => Date,
): Form | undefined {
  const { as, g: group, v: version = '' } = parameters
  if (as === undefined) return { as: 'object' }
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined
  if (as === 'Table') return { as: 'table', version, include: includeObject(query), now }
  return as === (listing ? 'PartialObjectMetadataList' : 'PartialObjectMetadata')
    ? { as: 'metadata', version }
    : undefined
}

function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? ''
  if (value === '') return 'Metadata'
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value
  throw badRequest(`includeObject: Invalid value: "${value}": must be one of None, Metadata, Object`)
}
