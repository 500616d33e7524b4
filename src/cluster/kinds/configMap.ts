import { ageColumn, column, nameColumn } from '../columns/column.js'
import { bool, bytesMap, pointer, stringMap } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { ConfigMap } from '../types.js'
import { atKey, invalid, tooLong } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'
import { dnsSubdomain } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { immutableData } from '../validation/update.js'
import { defineKind } from './kind.js'

/** ConfigMap of core/v1; columns as printConfigMap of Kubernetes v1.36 writes them. */
export const configMap = defineKind<ConfigMap>({
  group: '',
  plural: 'configmaps',
  shortNames: ['cm'],
  list: 'configMaps',
  schema: objectSchema('ConfigMap', { data: stringMap, binaryData: bytesMap, immutable: pointer(bool) }),
  validate: validateConfigMap,
  validateUpdate: immutableData(['immutable', 'data', 'binaryData']),
  columns: [
    nameColumn,
    column(
      'Data',
      'number of keys',
      ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
      'integer',
    ),
    ageColumn,
  ],
})

const maxBytes = 1024 * 1024

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/** Validates a ConfigMap (ValidateConfigMap); its keys become file names. */
function validateConfigMap({ metadata, data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const size =
    Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0) +
    Object.values(binaryData).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...Object.keys(data).flatMap((key) => [
      ...validateConfigKey('data', key),
      ...(Object.hasOwn(binaryData, key)
        ? [atKey('data', key, invalid(['data', key], key, 'duplicate of key present in binaryData'))]
        : []),
    ]),
    ...Object.keys(binaryData).flatMap((key) => validateConfigKey('binaryData', key)),
    ...(size > maxBytes ? [tooLong([], maxBytes)] : []),
  ]
}

/** A key of data becomes a file name (IsConfigMapKey). */
export function validateConfigKey(field: string, key: string): FieldError[] {
  const details = [
    ...(Buffer.byteLength(key) > 253 ? ['must be no more than 253 characters'] : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [keyRule]),
    ...(key === '.' || key === '..' ? [`must not be '${key}'`] : []),
    ...(key.startsWith('..') && key !== '..' ? ["must not start with '..'"] : []),
  ]
  return details.map((detail) => atKey(field, key, invalid([field, key], key, detail)))
}
