import { bool, bytesMap, stringMap } from './field.js'
import { objectSchema } from './metadata.js'

/** ConfigMap of core/v1. */
export const configMapSchema = objectSchema('ConfigMap', {
  data: stringMap,
  binaryData: bytesMap,
  immutable: bool,
})
