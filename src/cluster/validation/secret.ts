import type { Secret } from '../types.js'
import { atKey, invalid, required, tooLong } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'
import { validateConfigKey } from './configMap.js'
import { dnsSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

const mostBytes = 1024 * 1024
const accountKey = 'kubernetes.io/service-account.name'

/** The keys that a type asks for. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
}

/** Checks a Secret: its keys, its size, and what its type asks for (ValidateSecret). */
export function validateSecret({ metadata, data = {}, type = 'Opaque' }: Secret): FieldError[] {
  const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
  const account = metadata.annotations?.[accountKey] ?? ''
  const password = ['username', 'password'].some((key) => Object.hasOwn(data, key))
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...Object.keys(data).flatMap((key) => validateConfigKey('data', key)),
    ...(size > mostBytes ? [tooLong(['data'], mostBytes)] : []),
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
