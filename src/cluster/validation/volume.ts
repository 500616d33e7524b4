import { isRecord, records, text } from '../manifests/loose.js'
import { volumeSources } from '../schema/volume.js'
import { append, duplicate, forbidden, invalid, notSupported, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel } from './formats.js'

type Source = Readonly<Record<string, unknown>>

/** The pod fields that files of a volume may refer to. */
const fileFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace'].concat([
  'metadata.uid',
])

/** Validates the volumes of a pod (ValidateVolumes). */
export function validateVolumes(path: Path, volumes: unknown): FieldError[] {
  const names = new Set<string>()
  return records(volumes).flatMap((volume, index) => {
    const at = [...path, index]
    const name = text(volume['name'])
    const errors =
      name === ''
        ? [required([...at, 'name'])]
        : dnsLabel(name).map((detail) => invalid([...at, 'name'], name, detail))
    if (name !== '' && names.has(name)) errors.push(duplicate([...at, 'name'], name))
    names.add(name)
    const [, ...more] = volumeSources.filter((field) => volume[field] !== undefined)
    for (const field of more)
      errors.push(forbidden([...at, field], 'may not specify more than 1 volume type'))
    append(errors, validateSource(at, volume))
    return errors
  })
}

function validateSource(
  path: Path,
  { configMap, secret, downwardAPI, projected, ...others }: Source,
): FieldError[] {
  const { hostPath, persistentVolumeClaim: claim } = others
  return [
    ...(isRecord(configMap) ? named([...path, 'configMap'], configMap, 'name') : []),
    ...(isRecord(secret) ? named([...path, 'secret'], secret, 'secretName') : []),
    ...(isRecord(downwardAPI) ? downward([...path, 'downwardAPI'], downwardAPI) : []),
    ...(isRecord(projected) ? projections([...path, 'projected'], projected) : []),
    ...(isRecord(hostPath) && text(hostPath['path']) === '' ? [required([...path, 'hostPath', 'path'])] : []),
    ...(isRecord(claim) && text(claim['claimName']) === ''
      ? [required([...path, 'persistentVolumeClaim', 'claimName'])]
      : []),
  ]
}

function projections(path: Path, projected: Source): FieldError[] {
  return [
    ...mode([...path, 'defaultMode'], projected['defaultMode']),
    ...records(projected['sources']).flatMap((source, index) => {
      const at = [...path, 'sources', index]
      const [first, ...more] = Object.keys(source)
      const value = first === undefined ? undefined : source[first]
      return [
        ...more.map((field) =>
          forbidden([...at, field], 'may not specify more than 1 volume type per source'),
        ),
        ...((first === 'configMap' || first === 'secret') && isRecord(value)
          ? named([...at, first], value, 'name')
          : []),
        ...(first === 'downwardAPI' && isRecord(value) ? downward([...at, first], value) : []),
      ]
    }),
  ]
}

function named(path: Path, source: Source, field: string): FieldError[] {
  return [
    ...(text(source[field]) === '' ? [required([...path, field])] : []),
    ...mode([...path, 'defaultMode'], source['defaultMode']),
    ...records(source['items']).flatMap((item, index) => {
      const at = [...path, 'items', index]
      return [
        ...(text(item['key']) === '' ? [required([...at, 'key'])] : []),
        ...localPath([...at, 'path'], text(item['path'])),
        ...mode([...at, 'mode'], item['mode']),
      ]
    }),
  ]
}

function downward(path: Path, source: Source): FieldError[] {
  return [
    ...mode([...path, 'defaultMode'], source['defaultMode']),
    ...records(source['items']).flatMap((item, index) => {
      const at = [...path, 'items', index]
      const { fieldRef, resourceFieldRef } = item
      const field = isRecord(fieldRef) ? text(fieldRef['fieldPath']) : undefined
      const known = field === undefined || fileFields.includes(field.replace(/\['[^']+'\]$/, ''))
      return [
        ...localPath([...at, 'path'], text(item['path'])),
        ...mode([...at, 'mode'], item['mode']),
        ...(fieldRef === undefined && resourceFieldRef === undefined
          ? [required(at, 'one of fieldRef and resourceFieldRef is required')]
          : []),
        ...(known ? [] : [notSupported([...at, 'fieldRef', 'fieldPath'], field, fileFields)]),
      ]
    }),
  ]
}

function mode(path: Path, value: unknown): FieldError[] {
  if (typeof value !== 'number' || (value >= 0 && value <= 0o777)) return []
  return [invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
}

/** A path inside the volume (ValidateLocalDescendingPath). */
export function localPath(path: Path, value: string): FieldError[] {
  if (value === '') return [required(path)]
  if (value.startsWith('/')) return [invalid(path, value, 'must be a relative path')]
  return value.split('/').includes('..') ? [invalid(path, value, "must not contain '..'")] : []
}
