import type { Kind } from '../../cluster/kinds/kind.js'
import { decode, isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import type { Json, JsonObject } from '../../cluster/yaml/json.js'
import { parseJson } from '../../cluster/yaml/limits.js'
import { duplicateKeys } from '../../cluster/yaml/duplicateKeys.js'
import { yamlValue } from '../../cluster/yaml/yamlValue.js'
import { apiVersionOf } from '../resources.js'
import { badRequest } from '../status.js'
import { readProtobuf } from './protobuf.js'
import { unsupportedMediaType } from './writeErrors.js'
import type { WriteOptions } from './writeOptions.js'

const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'

/** Tokens of a body of YAML that the exact parser reads in about a second: other clients wait. */
const maxTokens = 100_000

/** Parses a body that is JSON or YAML; throws a 415 or 400 Status. */
export function readValue(body: Buffer, mediaType: string): Json {
  if (mediaType !== json && mediaType !== yaml) throw unsupportedMediaType([json, yaml, protobuf])
  try {
    const text = body.toString()
    return mediaType === json ? parseJson(text) : yamlValue(text, maxTokens)
  } catch (error) {
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The same for a body that is an object, which may be in protobuf. */
export function readJsonObject(body: Buffer, mediaType: string): JsonObject {
  if (mediaType === protobuf) return readProtobuf(body)
  const value = readValue(body, mediaType)
  if (!isObject(value)) throw badRequest('the body of the request is not an object')
  return value
}

/** An object that was decoded by its schema, and the warnings about unknown fields. */
export interface Decoded {
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

const strict = 'strict decoding error: '

/** What strict decoding finds in the text of a body of JSON, besides unknown fields. */
export function duplicateFields(body: Buffer, mediaType: string): string[] {
  return mediaType === json ? duplicateKeys(body.toString()).map((path) => `duplicate field "${path}"`) : []
}

/**
 * Decodes an object of a kind; throws a 400 Status for values of a wrong type and, if strict, for unknown and for
 * `duplicate` fields.
 */
export function decodeObject(
  value: JsonObject,
  kind: Kind,
  { fieldValidation }: WriteOptions,
  duplicate: readonly string[] = [],
): Decoded {
  requireKind(value, kind)
  const { value: decoded, problems, unknown } = decode(value, kind.schema)
  const found = [...duplicate, ...unknown]
  const wrong = problems.find(({ message }) => !message.startsWith(strict))
  const prefix = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: `
  if (wrong !== undefined) throw badRequest(prefix + wrong.message)
  if (found.length > 0 && fieldValidation === 'Strict')
    throw badRequest(`${prefix}${strict}${found.join(', ')}`)
  // After decoding by the schema of its kind, an object has its type.
  return {
    object: decoded as unknown as KubeObject,
    warnings: fieldValidation === 'Warn' ? found : [],
  }
}

function requireKind(value: JsonObject, resource: Kind): void {
  const { kind, apiVersion } = value
  if (kind === undefined || kind === '')
    throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 300)}'`)
  const version = apiVersionOf(resource)
  if (kind !== resource.kind || apiVersion !== version)
    throw badRequest(
      `the API version in the data (${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}) does not match the expected API version (${version}, kind ${resource.kind})`,
    )
}
