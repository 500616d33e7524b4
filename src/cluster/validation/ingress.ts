import { addressFamily } from '../../net/ranges.js'
import type { Ingress, IngressBackend, IngressPath } from '../types.js'
import { append, invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, portName, portNumber, wildcardSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

/** The annotation that named the class of an Ingress before there was a field. */
export const classAnnotation = 'kubernetes.io/ingress.class'
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

/** Sequences that a path of type Exact or Prefix may not contain, because proxies would normalize them. */
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F']
const forbiddenEnds = ['/..', '/.']

/** Validates an Ingress (ValidateIngress). */
export function validateIngress({ metadata, spec }: Ingress): FieldError[] {
  const { rules = [], tls = [], defaultBackend, ingressClassName } = spec
  const errors = validateMetadata(metadata, dnsSubdomain)
  if (rules.length === 0 && defaultBackend === undefined)
    errors.push(invalid(['spec'], null, 'either `defaultBackend` or `rules` must be specified'))
  if (defaultBackend !== undefined)
    append(errors, validateBackend(['spec', 'defaultBackend'], defaultBackend))
  for (const [index, rule] of rules.entries()) append(errors, validateRule(['spec', 'rules', index], rule))
  for (const [index, one] of tls.entries()) append(errors, validateTls(['spec', 'tls', index], one))
  if (ingressClassName !== undefined)
    for (const detail of dnsSubdomain(ingressClassName))
      errors.push(invalid(['spec', 'ingressClassName'], ingressClassName, detail))
  return errors
}

function validateRule(path: Path, rule: NonNullable<Ingress['spec']['rules']>[number]): FieldError[] {
  const errors: FieldError[] = []
  const { host = '', http } = rule
  if (host !== '' && addressFamily(host) !== undefined)
    errors.push(invalid([...path, 'host'], host, 'must be a DNS name, not an IP address'))
  if (host !== '') append(errors, validateHost([...path, 'host'], host))
  if (http === undefined) return errors
  if (http.paths.length === 0) errors.push(required([...path, 'http', 'paths']))
  for (const [index, item] of http.paths.entries())
    append(errors, validatePath([...path, 'http', 'paths', index], item))
  return errors
}

function validateHost(path: Path, host: string): FieldError[] {
  const format = host.includes('*') ? wildcardSubdomain : dnsSubdomain
  return format(host).map((detail) => invalid(path, host, detail))
}

function validateTls(path: Path, tls: NonNullable<Ingress['spec']['tls']>[number]): FieldError[] {
  const { hosts = [], secretName = '' } = tls
  return [
    ...hosts.flatMap((host, index) => validateHost([...path, 'hosts', index], host)),
    ...(secretName === '' ? [] : dnsSubdomain(secretName)).map((detail) =>
      invalid([...path, 'secretName'], secretName, detail),
    ),
  ]
}

function validatePath(path: Path, item: IngressPath): FieldError[] {
  const { pathType } = item
  if (pathType === undefined) return [required([...path, 'pathType'], 'pathType must be specified')]
  return [
    ...(pathTypes.includes(pathType)
      ? pathProblems(item.path ?? '', pathType).map((detail) =>
          invalid([...path, 'path'], item.path ?? '', detail),
        )
      : oneOf([...path, 'pathType'], pathType, pathTypes)),
    ...validateBackend([...path, 'backend'], item.backend),
  ]
}

function pathProblems(path: string, pathType: string): string[] {
  const relative = path.startsWith('/') ? [] : ['must be an absolute path']
  if (pathType === 'ImplementationSpecific') return path === '' ? [] : relative
  return [
    ...relative,
    ...forbiddenSequences
      .filter((sequence) => path.includes(sequence))
      .map((sequence) => `must not contain '${sequence}'`),
    ...forbiddenEnds.filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ]
}

function validateBackend(path: Path, { resource, service }: IngressBackend): FieldError[] {
  if (resource !== undefined && service !== undefined)
    return [invalid(path, '', 'cannot set both resource and service backends')]
  if (resource !== undefined) return validateReference([...path, 'resource'], resource)
  if (service === undefined) return [invalid(path, '', 'resource or service backend is required')]
  const { name, port } = service
  const at = [...path, 'service']
  return [
    ...(name === '' ? [required([...at, 'name'])] : []),
    ...(name === '' ? [] : dnsLabel(name)).map((detail) => invalid([...at, 'name'], name, detail)),
    ...validatePort(path, port),
  ]
}

// The API server reports the backend when it has two ports or none, and the field when one port is wrong.
function validatePort(
  path: Path,
  { name = '', number = 0 }: { name?: string; number?: number },
): FieldError[] {
  const at = [...path, 'service', 'port']
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')]
  if (name !== '') return portName(name).map((detail) => invalid([...at, 'name'], name, detail))
  if (number !== 0) return portNumber(number).map((detail) => invalid([...at, 'number'], number, detail))
  return [required(path, 'port name or number is required')]
}

/**
 * Compares the class of a new Ingress with that of its annotation (ValidateIngressCreate). The API server writes
 * `annotations` without `metadata`.
 */
export function validateClassAnnotation({ metadata, spec }: Ingress): FieldError[] {
  const named = metadata.annotations?.[classAnnotation]
  const { ingressClassName } = spec
  if (named === undefined || ingressClassName === undefined || named === ingressClassName) return []
  const detail = 'must match `ingressClassName` when both are specified'
  const error = invalid(['annotations', classAnnotation], named, detail)
  return [{ ...error, path: ['metadata', 'annotations', classAnnotation] }]
}

/** A reference to an object of any kind. */
interface Reference {
  readonly apiGroup?: string
  readonly kind: string
  readonly name: string
}

/** Validates a reference to an object of any kind (validateIngressTypedLocalObjectReference). */
export function validateReference(path: Path, reference: Reference): FieldError[] {
  const { apiGroup } = reference
  const errors: FieldError[] = []
  if (apiGroup !== undefined)
    for (const detail of dnsSubdomain(apiGroup)) errors.push(invalid([...path, 'apiGroup'], apiGroup, detail))
  for (const field of ['kind', 'name'] as const)
    append(errors, validateSegment([...path, field], reference[field]))
  return errors
}

/** A name that is a segment of an API path. */
function validateSegment(path: Path, name: string): FieldError[] {
  if (name === '') return [required(path)]
  if (name === '.' || name === '..') return [invalid(path, name, `may not be '${name}'`)]
  return ['/', '%']
    .filter((barred) => name.includes(barred))
    .map((barred) => invalid(path, name, `may not contain '${barred}'`))
}
