import { addressFamily } from '../addresses.js'
import type { Ingress, IngressBackend, IngressPath } from '../types.js'
import { append, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, portName, portNumber, wildcardSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

/** Checks an Ingress (ValidateIngressCreate). */
export function validateIngress(ingress: Ingress): FieldError[] {
  const { spec } = ingress
  const rules = spec.rules ?? []
  const errors = validateMetadata(ingress.metadata, dnsSubdomain)
  if (rules.length === 0 && spec.defaultBackend === undefined)
    errors.push(invalid(['spec'], null, 'either `defaultBackend` or `rules` must be specified'))
  if (spec.defaultBackend !== undefined)
    append(errors, validateBackend(['spec', 'defaultBackend'], spec.defaultBackend))
  for (const [index, rule] of rules.entries()) {
    const path = ['spec', 'rules', index]
    if (rule.host !== undefined && rule.host !== '')
      append(errors, validateHost([...path, 'host'], rule.host))
    if (rule.http === undefined) continue
    if (rule.http.paths.length === 0) errors.push(required([...path, 'http', 'paths']))
    for (const [number, item] of rule.http.paths.entries())
      append(errors, validatePath([...path, 'http', 'paths', number], item))
  }
  return errors
}

function validateHost(path: Path, host: string): FieldError[] {
  if (addressFamily(host) !== undefined) return [invalid(path, host, 'must be a DNS name, not an IP address')]
  const format = host.includes('*') ? wildcardSubdomain : dnsSubdomain
  return format(host).map((detail) => invalid(path, host, detail))
}

function validatePath(path: Path, item: IngressPath): FieldError[] {
  const types = ['Exact', 'ImplementationSpecific', 'Prefix']
  const errors: FieldError[] = []
  if (item.pathType === undefined) errors.push(required([...path, 'pathType'], 'pathType must be specified'))
  else if (!types.includes(item.pathType)) append(errors, oneOf([...path, 'pathType'], item.pathType, types))
  else if (item.pathType !== 'ImplementationSpecific' || (item.path ?? '') !== '')
    if (!(item.path ?? '').startsWith('/'))
      errors.push(invalid([...path, 'path'], item.path ?? '', 'must be an absolute path'))
  return [...errors, ...validateBackend([...path, 'backend'], item.backend)]
}

function validateBackend(path: Path, backend: IngressBackend): FieldError[] {
  if (backend.resource !== undefined && backend.service !== undefined)
    return [invalid(path, '', 'cannot set both resource and service backends')]
  if (backend.resource !== undefined) return []
  if (backend.service === undefined) return [required(path, 'resource or service backend is required')]
  const { name, port } = backend.service
  const errors: FieldError[] = []
  const at = [...path, 'service']
  if (name === '') errors.push(required([...at, 'name']))
  else
    append(
      errors,
      dnsLabel(name).map((detail) => invalid([...at, 'name'], name, detail)),
    )
  const { name: byName = '', number = 0 } = port
  if (byName !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'))
  else if (byName !== '')
    append(
      errors,
      portName(byName).map((detail) => invalid([...at, 'port', 'name'], byName, detail)),
    )
  else if (number !== 0)
    append(
      errors,
      portNumber(number).map((detail) => invalid([...at, 'port', 'number'], number, detail)),
    )
  else errors.push(required(path, 'port name or number is required'))
  return errors
}
