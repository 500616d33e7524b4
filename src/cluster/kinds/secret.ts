import { ageColumn, column, nameColumn } from '../columns/column.js'
import { bool, bytesMap, pointer, stringMap, stringType } from '../schema/field.js'
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
    immutable: pointer(bool),
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
const neededKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
])

/** Validates a Secret: its keys, its size, and the requirements of its type (ValidateSecret). */
function validateSecret({ metadata, data = {}, type = 'Opaque' }: Secret): FieldError[] {
  const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
  const account = metadata.annotations?.[accountKey] ?? ''
  const password = ['username', 'password'].some((key) => Object.hasOwn(data, key))
  const needed = neededKeys.get(type) ?? []
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...Object.keys(data).flatMap((key) => validateConfigKey('data', key)),
    ...(size > maxBytes ? [tooLong(['data'], maxBytes)] : []),
    ...needed
      .filter((key) => !Object.hasOwn(data, key))
      .map((key) => atKey('data', key, required(['data', key]))),
    ...(type === 'kubernetes.io/basic-auth' && !password
      ? ['username', 'password'].map((key) => atKey('data', key, required(['data', key])))
      : []),
    ...(type === 'kubernetes.io/service-account-token' && account === ''
      ? [atKey('metadata.annotations', accountKey, required(['metadata', 'annotations', accountKey]))]
      : []),
    ...needed
      .filter((key) => key.startsWith('.docker') && data[key] !== undefined)
      .flatMap((key) =>
        objectProblem(Buffer.from(data[key] ?? '', 'base64').toString()).map((detail) =>
          atKey('data', key, invalid(['data', key], '<secret contents redacted>', detail)),
        ),
      ),
  ]
}

// What JavaScript reports, and the words of Go's encoding/json for it.
const places: readonly (readonly [RegExp, string])[] = [
  [/after array element/, 'after array element'],
  [/after property value/, 'after object key:value pair'],
  [/':' after property name/, 'after object key'],
  [/property name/, 'looking for beginning of object key string'],
  [/after JSON/, 'after top-level value'],
]

/** Why a text is not a JSON object. */
function objectProblem(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && !Array.isArray(value)) return []
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return [`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`]
  } catch (error) {
    const message = String(error)
    const token = /Unexpected token '(.)'/u.exec(message)?.[1] ?? text[Number(/\d+$/.exec(message))]
    if (token === undefined || message.includes('Unexpected end')) return ['unexpected end of JSON input']
    const word = ['true', 'false', 'null'].find((literal) => text.trimStart().startsWith(literal.charAt(0)))
    const at = [...(word ?? '')].findIndex((letter, index) => text.trimStart()[index] !== letter)
    if (at > 0) return [`invalid character '${token}' in literal ${word} (expecting '${word?.[at]}')`]
    const place = places.find(([pattern]) => pattern.test(message))?.[1] ?? 'looking for beginning of value'
    return [`invalid character '${token}' ${place}`]
  }
}
