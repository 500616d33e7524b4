import * as z from 'zod'
import type { Schema } from '../../cluster/schema/field.js'
import { configSchema } from '../../agents/kubeProxy/configSchema.js'
import { chosenVersions } from '../../agents/kubeProxy/versions/known.js'
import { defaultVersion, versionText } from '../../agents/kubeProxy/versions/version.js'

/** `kubeProxy` as a mapping: its fields are checked as kube-proxy decodes them, with its own messages. */
export const kubeProxyFieldsSchema = z.record(z.string(), z.unknown())

/** The JSON Schema of `version` and KubeProxyConfiguration: editors complete its fields and mark others, which kube-proxy ignores. */
export function kubeProxyJsonSchema(): Record<string, unknown> {
  const schema = jsonSchemaOf(configSchema)
  const version = {
    enum: chosenVersions,
    description: `The kube-proxy whose rules and behaviour the nodes have. Default: ${versionText(defaultVersion)}.`,
  }
  return { ...schema, properties: { version, ...(schema['properties'] as object) } }
}

function jsonSchemaOf(schema: Schema): Record<string, unknown> {
  switch (schema.kind) {
    case 'struct': {
      const properties = Object.entries(schema.fields).map(([name, field]) => [name, jsonSchemaOf(field)])
      return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
    }
    case 'list':
      return { type: 'array', items: jsonSchemaOf(schema.of) }
    case 'map':
      return { type: 'object', additionalProperties: jsonSchemaOf(schema.of) }
    case 'bool':
      return { type: 'boolean' }
    case 'int32':
    case 'int64':
    case 'uint32':
      return { type: 'integer' }
    case 'float32':
      return { type: 'number' }
    case 'string':
      return { type: 'string' }
    default:
      return {}
  }
}
