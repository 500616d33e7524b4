import { ageColumn, column, nameColumn } from '../columns/column.js'
import { bool, bytesMap, stringMap, stringType } from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { Secret } from '../types.js'
import { atKey, invalid, required, tooLong } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'
import { dnsSubdomain } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { immutableData, immutableField } from '../validation/update.js'
import { validateConfigKey } from './configMap.js'
import { defineKind } from './kind.js'

/** Secret of core/v1; columns as printSecret of Kubernetes v1.36 writes them. */
export const secret = defineKind<Secret>({
  group: '',
  plural: 'secrets',
  list: 'secrets',
  schema: objectSchema('Secret', {
    type: stringType('SecretType'),
    data: bytesMap,
    stringData: stringMap,
    immutable: bool,
  }),
  setDefaults,
  validate: validateSecret,
  validateUpdate: (before, next) => [
    ...immutableField(['type'])(before, next),
    ...immutableData(['immutable', 'data'])(before, next),
  ],
  fields: { type: '' },
  columns: [
    nameColumn,
    column('Type', 'type of its data', ({ type }) => type ?? 'Opaque'),
    column('Data', 'number of keys', ({ data = {} }) => Object.keys(data).length, 'integer'),
    ageColumn,
  ],
})

/** Sets the defaults of a Secret; stringData overrides data (Convert_v1_Secret_To_core_Secret). */
function setDefaults({ stringData, ...object }: Secret): Secret {
  const written = Object.entries(stringData ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ])
  const data = { ...object.data, ...(Object.fromEntries(written) as Record<string, string>) }
  return {
    ...object,
    ...(Object.keys(data).length === 0 ? {} : { data }),
    type: object.type === undefined || object.type === '' ? 'Opaque' : object.type,
  }
}

const maxBytes = 1024 * 1024
const accountKey = 'kubernetes.io/service-account.name'

/** The keys that a type requires. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
}

/** Validates a Secret: its keys, its size, and the requirements of its type (ValidateSecret). */
function validateSecret({ metadata, data = {}, type = 'Opaque' }: Secret): FieldError[] {
  const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
  const account = metadata.annotations?.[accountKey] ?? ''
  const password = ['username', 'password'].some((key) => Object.hasOwn(data, key))
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...Object.keys(data).flatMap((key) => validateConfigKey('data', key)),
    ...(size > maxBytes ? [tooLong(['data'], maxBytes)] : []),
    ...(neededKeys[type] ?? [])
      .filter((key) => !Object.hasOwn(data, key))
      .map((key) => atKey('data', key, required(['data', key]))),
    ...(type === 'kubernetes.io/basic-auth' && !password
      ? ['username', 'password'].map((key) => atKey('data', key, required(['data', key])))
      : []),
    ...(type === 'kubernetes.io/service-account-token' && account === ''
      ? [atKey('metadata.annotations', accountKey, required(['metadata', 'annotations', accountKey]))]
      : []),
    ...(neededKeys[type] ?? [])
      .filter((key) => key.startsWith('.docker') && data[key] !== undefined && !isJson(data[key]))
      .map((key) =>
        atKey('data', key, invalid(['data', key], '<secret contents redacted>', 'not valid JSON')),
      ),
  ]
}

function isJson(base64: string): boolean {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString())
    return true
  } catch {
    return false
  }
}
