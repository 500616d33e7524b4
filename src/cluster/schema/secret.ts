import { bool, bytesMap, stringMap, stringType } from './field.js'
import { objectSchema } from './metadata.js'

/** Secret of core/v1. */
export const secretSchema = objectSchema('Secret', {
  type: stringType('SecretType'),
  data: bytesMap,
  stringData: stringMap,
  immutable: bool,
})
