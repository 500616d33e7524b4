import { didYouMean } from '../../text/nearestName.js'
import { isRecord, records, text } from '../manifests/loose.js'
import type { Container } from '../types.js'
import { forbidden, invalid, notSupported, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { configKey, dnsSubdomain, envName, qualifiedName } from './formats.js'
import { all, each, fields, filled, formatted, textOf, type Rule } from './rules.js'

/** The pod fields that an environment may refer to. */
const envFields = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid'],
  ...['spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]

/** The pod fields that files of a volume may refer to. */
export const fileFields = ['annotations', 'labels', 'name', 'namespace', 'uid'].map(
  (field) => `metadata.${field}`,
)

/** Pod fields that the API server knows, and neither allows. */
const otherFields = ['spec.host', 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']

const sides = ['limits', 'requests'].flatMap((side) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${side}.${name}`),
)

const key = fields({ name: textOf(dnsSubdomain), key: all(filled(), formatted(configKey)) })

const sources: Readonly<Record<string, Rule>> = {
  fieldRef: fieldRef(envFields),
  resourceFieldRef: resourceFieldRef(false),
  configMapKeyRef: key,
  secretKeyRef: key,
  fileKeyRef: (path) => [forbidden(path, 'vethlab does not read files into an environment')],
}

const named = fields({ name: all(filled(), formatted(dnsSubdomain)) })

const references: Readonly<Record<string, Rule>> = { configMapRef: named, secretRef: named }

const several = 'may not have more than one field specified at a time'

const validateVariables = each((path, variable) => {
  if (!isRecord(variable)) return []
  const { name, value = '', valueFrom } = variable
  return [
    ...all(filled(), formatted(envName))([...path, 'name'], name),
    ...(isRecord(valueFrom) ? validateValueFrom([...path, 'valueFrom'], valueFrom, value !== '') : []),
  ]
})

/** Validates a container's env and envFrom (ValidateEnv, ValidateEnvFrom). */
export function validateEnv(path: Path, container: Container): FieldError[] {
  const list = [...path, 'envFrom']
  return [
    ...validateVariables([...path, 'env'], container.env),
    ...records(container['envFrom']).flatMap((source, index) => {
      const set = Object.keys(references).filter((field) => source[field] !== undefined)
      return [
        ...formatted(envName)([...list, index, 'prefix'], source['prefix'] ?? ''),
        ...fields(references)([...list, index], source),
        // the errors have the path of the list
        ...(set.length === 0
          ? [invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`')]
          : []),
        ...(set.length > 1 ? [invalid(list, '', several)] : []),
      ]
    }),
  ]
}

function validateValueFrom(
  path: Path,
  valueFrom: Readonly<Record<string, unknown>>,
  hasValue: boolean,
): FieldError[] {
  const set = Object.keys(sources).filter((source) => valueFrom[source] !== undefined)
  const choice = Object.keys(sources).map((source) => `\`${source}\``)
  const detail =
    set.length === 0
      ? `must specify one of: ${choice.slice(0, -1).join(', ')} or ${choice.at(-1)}`
      : hasValue
        ? 'may not be specified when `value` is not empty'
        : set.length > 1
          ? several
          : undefined
  return [
    ...set.flatMap((source) => sources[source]?.([...path, source], valueFrom[source]) ?? []),
    ...(detail === undefined ? [] : [invalid(path, '', detail)]),
  ]
}

/** A reference to a field of the pod (validateObjectFieldSelector). */
export function fieldRef(allowed: readonly string[]): Rule {
  return (path, value) => {
    if (!isRecord(value)) return []
    const at = [...path, 'fieldPath']
    const written = text(value['fieldPath'])
    const wrong = (detail: string) => [
      invalid(at, written, `error converting fieldPath: ${detail}`, didYouMean(written, allowed)),
    ]
    if (written === '') return [required(at)]
    const version = text(value['apiVersion'])
    if (version !== '' && version !== 'v1') return wrong(`unsupported pod version: ${version}`)
    const [, field = '', subscript] = /^(.*?)(?:\['(.*)'\])?$/s.exec(written) ?? []
    const isMap = field === 'metadata.annotations' || field === 'metadata.labels'
    if (subscript !== undefined) {
      if (!isMap) return wrong(`field label does not support subscript: ${written}`)
      const name = field === 'metadata.labels' ? subscript : subscript.toLowerCase()
      return qualifiedName(name).map((detail) => invalid(path, name, detail))
    }
    if (![...envFields, ...fileFields, ...otherFields].includes(field))
      return wrong(`field label not supported: ${written}`)
    const known = field === 'spec.host' ? 'spec.nodeName' : field
    return allowed.includes(known) ? [] : [notSupported(at, known, allowed)]
  }
}

/** A reference to a request or limit (validateContainerResourceFieldSelector); files name the container. */
export function resourceFieldRef(inVolume: boolean): Rule {
  return (path, value) => {
    if (!isRecord(value)) return []
    const resource = text(value['resource'])
    const known = sides.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource)
    const errors =
      inVolume && text(value['containerName']) === ''
        ? [required([...path, 'containerName'])]
        : resource === ''
          ? [required([...path, 'resource'])]
          : known
            ? []
            : [notSupported([...path, 'resource'], resource, sides)]
    return [...errors, ...validateDivisor([...path, 'divisor'], resource, text(value['divisor']))]
  }
}

function validateDivisor(path: Path, resource: string, divisor: string): FieldError[] {
  const name = resource.replace(/^(limits|requests)\./, '').replace(/^hugepages-.*/s, 'hugepages')
  const isCpu = name === 'cpu'
  const isKnown = isCpu || ['memory', 'ephemeral-storage', 'hugepages'].includes(name)
  const fits = isCpu ? /^1m?$/.test(divisor) : /^1([kMGTPE]|[KMGTPE]i)?$/.test(divisor)
  if (!isKnown || divisor === '' || divisor === '0' || fits) return []
  const values = isCpu
    ? '1m and 1'
    : [
        '1',
        ...'kMGTPE'.split('').map((unit) => `1${unit}`),
        ...'KMGTPE'.split('').map((unit) => `1${unit}i`),
      ].join(', ')
  const what = name === 'ephemeral-storage' ? 'local ephemeral storage' : name
  return [invalid(path, resource, `only divisor's values ${values} are supported with the ${what} resource`)]
}
