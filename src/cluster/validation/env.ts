import { isRecord, records, text } from '../manifests/loose.js'
import type { Container } from '../types.js'
import { append, forbidden, invalid, notSupported, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'

/** The pod fields that an environment may refer to. */
const envFields = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid'],
  ...['spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]

const sides = ['limits', 'requests'].flatMap((side) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${side}.${name}`),
)

/** Validates a container's env and envFrom (ValidateEnv, validateEnvFrom). */
export function validateEnv(path: Path, container: Container): FieldError[] {
  const env = (container.env ?? []).flatMap((variable, index) => {
    const at = [...path, 'env', index]
    if (variable.name === '') return [required([...at, 'name'])]
    const errors: FieldError[] = []
    if (!/^[ -<>-~]+$/.test(variable.name))
      errors.push(
        invalid(
          [...at, 'name'],
          variable.name,
          "a valid environment variable name must consist only of printable ASCII characters other than '='",
        ),
      )
    if (variable.valueFrom === undefined) return errors
    if (variable.value !== undefined && variable.value !== '')
      errors.push(forbidden([...at, 'valueFrom'], 'may not be specified when `value` is not empty'))
    append(errors, validateValueFrom([...at, 'valueFrom'], variable.valueFrom))
    return errors
  })
  return [...env, ...validateEnvFrom([...path, 'envFrom'], container)]
}

function validateValueFrom(path: Path, valueFrom: Readonly<Record<string, unknown>>): FieldError[] {
  const [first, ...more] = Object.keys(valueFrom)
  const detail =
    'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
  if (first === undefined) return [invalid(path, '', detail)]
  if (more.length > 0) return [invalid(path, '', 'may not have more than one field specified at a time')]
  const value = valueFrom[first]
  if (!isRecord(value)) return []
  const at = [...path, first]
  if (first === 'fileKeyRef') return [forbidden(at, 'vethlab does not read files into an environment')]
  if (first === 'fieldRef') {
    const field = text(value['fieldPath'])
    if (field === '') return [required([...at, 'fieldPath'])]
    const known = envFields.includes(field) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(field)
    return known ? [] : [notSupported([...at, 'fieldPath'], field, envFields)]
  }
  if (first === 'resourceFieldRef') {
    const resource = text(value['resource'])
    const known = sides.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource)
    if (resource === '') return [required([...at, 'resource'])]
    return known ? [] : [notSupported([...at, 'resource'], resource, sides)]
  }
  return ['name', 'key'].filter((field) => text(value[field]) === '').map((field) => required([...at, field]))
}

function validateEnvFrom(path: Path, container: Container): FieldError[] {
  return records(container['envFrom']).flatMap((source, index) => {
    const at = [...path, index]
    const [first, ...more] = ['configMapRef', 'secretRef'].filter((field) => source[field] !== undefined)
    if (first === undefined) return [invalid(at, '', 'must specify one of: `configMapRef` or `secretRef`')]
    if (more.length > 0) return [invalid(at, '', 'may not have more than one field specified at a time')]
    const value = source[first]
    return isRecord(value) && text(value['name']) === '' ? [required([...at, first, 'name'])] : []
  })
}
