import { mergePatch } from '../../cluster/changes/patch.js'
import { text } from '../../cluster/manifests/loose.js'
import { decode, isObject } from '../../cluster/schema/decode.js'
import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import type { Kind } from '../../cluster/kinds/kind.js'
import { apiVersionOf } from '../resources.js'
import { badRequest, StatusError } from '../status.js'
import type { Store } from '../store.js'
import { create, update } from './createOrUpdate.js'
import { applyFields } from './fields/applyFields.js'
import { jsonPatch } from './patch/jsonPatch.js'
import { goText, strategicMerge } from './patch/strategicMerge.js'
import { mediaTypeOf } from './mediaType.js'
import { decodeObject, readJsonObject, readValue } from './readBody.js'
import { cannotUnmarshal, undecodable, unrestorable, unsupportedMediaType } from './writeErrors.js'
import { currentObject, writerOf, type Decision, type WriteRequest } from './writeRequest.js'

const apply = 'application/apply-patch+yaml'
const strategic = 'application/strategic-merge-patch+json'
const mediaTypes = ['application/json-patch+json', 'application/merge-patch+json', strategic, apply]

/** Decides a PATCH in one of four formats. */
export function decidePatch(store: Store, request: WriteRequest): Decision {
  if (mediaTypeOf(request.contentType) === apply) return serverSideApply(store, request)
  const current = currentObject(store, request)
  const written = patched(current, request)
  if (mediaTypeOf(request.contentType) === strategic) requireRestorable(written, request)
  else requireDecodable(written, request)
  return update(current, written, request)
}

/** Kinds of Go by the words that Go has for the types of JSON; those of numbers differ. */
const goKinds: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  array: 'slice',
  object: 'map',
}

/**
 * Throws a 422 Status for a strategic merge patch that puts another value where a list or a map is, in the words of
 * apimachinery (pkg/runtime, FromUnstructured).
 */
function requireRestorable(written: JsonObject, { resource, body }: WriteRequest): void {
  const [problem] = decode(written, resource.schema).problems
  const [, value = '', type = ''] =
    /cannot unmarshal (\w+).* of type (\[\]|map)/.exec(problem?.message ?? '') ?? []
  const kind = goKinds[value]
  if (kind === undefined) return
  const why = `cannot restore ${type === '[]' ? 'slice' : 'map'} from ${kind}`
  throw unrestorable(goText(readValue(body, 'application/json')), why)
}

/** Throws a 422 Status for a patched object with a value of a wrong type, or of another kind. */
function requireDecodable(written: JsonObject, { resource, options }: WriteRequest): void {
  try {
    decodeObject(written, resource, { ...options, fieldValidation: 'Ignore' })
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw undecodable(written, whyUndecodable(written, resource, error.message))
  }
}

function whyUndecodable({ apiVersion, kind }: JsonObject, resource: Kind, message: string): string {
  if (apiVersion !== apiVersionOf(resource))
    return `no kind "${text(kind)}" is registered for version "${text(apiVersion)}" in scheme "pkg/api/legacyscheme/scheme.go:30"`
  const { group, version } = resource
  const internal = group === '' ? 'core' : group.replace(/\..*/, '')
  return kind === resource.kind
    ? message.replace(/^.* cannot be handled as an? \S+: /, '')
    : `converting (${version}.${text(kind)}) to (${internal}.${resource.kind}): unknown conversion`
}

/** An object with the patch of a request applied; throws a StatusError. */
export function patched(current: unknown, { contentType, body, resource }: WriteRequest): JsonObject {
  const mediaType = mediaTypeOf(contentType)
  if (!mediaTypes.includes(mediaType) || mediaType === apply) throw unsupportedMediaType(mediaTypes)
  // The Gateway API consists of custom resources, which have no merge keys.
  if (mediaType === strategic && resource.group === 'gateway.networking.k8s.io')
    throw unsupportedMediaType(mediaTypes.filter((one) => one !== strategic))
  // undefined values are absent fields
  const target = JSON.parse(JSON.stringify(current)) as JsonObject
  const patch = readValue(body, 'application/json')
  const value = applied(target, patch, mediaType)
  if (!isObject(value)) throw badRequest('the patched value is not an object')
  return value
}

function applied(target: JsonObject, patch: Json, mediaType: string): Json {
  if (mediaType === 'application/json-patch+json') return jsonPatch(target, patch)
  if (!isObject(patch)) throw cannotUnmarshal(patch, 'map[string]interface {}')
  return mediaType === strategic ? strategicMerge(target, patch) : mergePatch(target, patch)
}

/** Throws a 500 Status for fields that the kind does not have: an apply is typed by its schema, at every level of validation. */
function requireDeclared(written: JsonObject, { resource, namespace, name = '' }: WriteRequest): void {
  const { unknown } = decode(written, resource.schema)
  if (unknown.length === 0) return
  const fields = unknown.map(
    (text) => `.${text.replace(/^unknown field "|"$/g, '')}: field not declared in schema`,
  )
  const all =
    fields.length === 1 ? (fields[0] ?? '') : `errors:\n${fields.map((one) => `  ${one}`).join('\n')}`
  const object = namespace === undefined ? `/${name}` : `${namespace}/${name}`
  const of = `${object}; ${apiVersionOf(resource)}, Kind=${resource.kind}`
  throw new StatusError(500, '', `failed to create typed patch object (${of}): ${all}`, {})
}

function serverSideApply(store: Store, request: WriteRequest): Decision {
  const { body, resource, namespace, name = '', options } = request
  const written = readJsonObject(body, 'application/yaml')
  const { managedFields, name: writtenName } = (written['metadata'] ?? {}) as JsonObject
  if (Array.isArray(managedFields) && managedFields.length > 0)
    throw badRequest('metadata.managedFields must be nil')
  if (writtenName !== name)
    throw badRequest(
      `the name of the object (${JSON.stringify(writtenName)}) does not match the name on the URL (${name})`,
    )
  requireDeclared(written, request)
  const writer = writerOf(request, 'Apply')
  const current = store.get(resource, namespace, name)
  const live = current ?? { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } }
  const managers = current?.metadata.managedFields ?? []
  const before = JSON.parse(JSON.stringify(live)) as JsonObject
  const result = applyFields(before, written, managers, writer, options.force)
  const withMetadata = (metadata: Json | undefined): JsonObject => ({
    ...result.object,
    kind: written['kind'] ?? '',
    apiVersion: written['apiVersion'] ?? '',
    metadata: { ...(result.object['metadata'] as JsonObject), ...(metadata as JsonObject) },
  })
  if (current === undefined) return create(request, withMetadata(written['metadata']), [...result.managers])
  const { resourceVersion, uid } = (written['metadata'] ?? {}) as JsonObject
  const asked = withMetadata({
    name,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(uid === undefined ? {} : { uid }),
  })
  return update(current, asked, request, [...result.managers])
}
