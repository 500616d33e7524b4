import { didYouMean } from '../../text/nearestName.js'
import { isRecord, records, text } from '../manifests/loose.js'
import type { Container } from '../types.js'
import { forbidden, invalid, notFound, notSupported, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { localPath } from './volume.js'

/** Validates the mounts and devices of a container (ValidateVolumeMounts); `volumes` are the existing names. */
export function validateVolumeMounts(
  container: Path,
  fields: Container,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const list = [...container, 'volumeMounts']
  const targets = new Set<string>()
  const devices = records(fields['volumeDevices'])
  return records(fields['volumeMounts']).flatMap((mount, index) => {
    const at = [...list, index]
    const [name, target, subPath, expression] = ['name', 'mountPath', 'subPath', 'subPathExpr'].map((field) =>
      text(mount[field]),
    ) as [string, string, string, string]
    const errors: FieldError[] = []
    if (name === '') errors.push(required([...at, 'name']))
    if (!volumes.has(name)) errors.push(notFound([...at, 'name'], name, didYouMean(name, [...volumes])))
    if (target === '') errors.push(required([...at, 'mountPath']))
    if (targets.has(target)) errors.push(invalid([...at, 'mountPath'], target, 'must be unique'))
    targets.add(target)
    if (devices.some((device) => device['name'] === name))
      errors.push(invalid([...at, 'name'], name, 'must not already exist in volumeDevices'))
    if (devices.some((device) => device['devicePath'] === target))
      errors.push(invalid([...at, 'mountPath'], target, 'must not already exist as a path in volumeDevices'))
    // the errors of these have the path of the list
    if (subPath !== '') errors.push(...localPath([...list, 'subPath'], subPath))
    if (subPath !== '' && expression !== '')
      errors.push(
        invalid([...at, 'subPathExpr'], expression, 'subPathExpr and subPath are mutually exclusive'),
      )
    if (expression !== '') errors.push(...localPath([...list, 'subPathExpr'], expression))
    errors.push(...propagation(list, mount, fields), ...recursive(list, mount))
    return errors
  })
}

function propagation(list: Path, mount: Readonly<Record<string, unknown>>, fields: Container): FieldError[] {
  const path = [...list, 'mountPropagation']
  const value = mount['mountPropagation']
  if (typeof value !== 'string') return []
  const context = fields['securityContext']
  const privileged = isRecord(context) && context['privileged'] === true
  return [
    ...oneOf(path, value, ['Bidirectional', 'HostToContainer', 'None']),
    ...(value === 'Bidirectional' && !privileged
      ? [forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')]
      : []),
  ]
}

function recursive(list: Path, mount: Readonly<Record<string, unknown>>): FieldError[] {
  const path = [...list, 'recursiveReadOnly']
  const { recursiveReadOnly: value, readOnly, mountPropagation = 'None' } = mount
  if (typeof value !== 'string' || value === 'Disabled') return []
  if (value !== 'Enabled' && value !== 'IfPossible')
    return [notSupported(path, value, ['Disabled', 'Enabled', 'IfPossible'])]
  return [
    ...(readOnly === true ? [] : [forbidden(path, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None'
      ? []
      : [forbidden(path, 'may only be specified when mountPropagation is None or not specified')]),
  ]
}
