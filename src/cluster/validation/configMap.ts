import type { ConfigMap } from '../types.js'
import { invalid } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/** Checks a ConfigMap: its keys become names of files (ValidateConfigMap). */
export function validateConfigMap({ metadata, data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...Object.keys(data).flatMap((key) => validateKey(['data', key], key)),
    ...Object.keys(binaryData).flatMap((key) => [
      ...validateKey(['binaryData', key], key),
      ...(Object.hasOwn(data, key)
        ? [invalid(['binaryData', key], key, 'duplicate of key present in data')]
        : []),
    ]),
  ]
}

function validateKey(path: FieldError['path'], key: string): FieldError[] {
  const fits = /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && key !== '..' && !key.startsWith('..')
  return fits ? [] : [invalid(path, key, keyRule)]
}
