import { addressFamily } from '../../../net/ranges.js'
import type {
  BackendReference,
  FromNamespaces,
  Gateway,
  GatewayClass,
  GatewayListener,
  ListenerSet,
  ReferenceGrant,
} from '../../types/gateway.js'
import { append, duplicate, invalid, oneOf, required, tooMany } from '../fieldErrors.js'
import type { FieldError, Path } from '../fieldErrors.js'
import { dnsLabel, dnsSubdomain, portNumber, wildcardSubdomain } from '../formats.js'
import { validateGroupKind } from './fields.js'
import { validateMetadata, validateSelector } from '../metadata.js'

const maxListeners = 64
const hostnamePattern = /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const controllerPattern =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

/** Validates a GatewayClass by the schema and rules of its CRD. */
export function validateGatewayClass({ metadata, spec }: GatewayClass): FieldError[] {
  const { controllerName } = spec
  const at = ['spec', 'controllerName']
  const errors = validateMetadata(metadata, dnsSubdomain)
  if (controllerName === '') errors.push(required(at))
  else if (!controllerPattern.test(controllerName) || controllerName.length > 253)
    errors.push(invalid(at, controllerName, 'must be a domain-prefixed path (such as "example.com/foo")'))
  return errors
}

/** Validates a Gateway by the schema and rules of its CRD. */
export function validateGateway({ metadata, spec }: Gateway): FieldError[] {
  const { gatewayClassName, listeners, allowedListeners } = spec
  const errors = validateMetadata(metadata, dnsSubdomain)
  if (gatewayClassName === '') errors.push(required(['spec', 'gatewayClassName']))
  append(errors, validateListeners(listeners))
  append(errors, validateFrom(['spec', 'allowedListeners', 'namespaces'], allowedListeners?.namespaces))
  return [...errors, ...validateAddresses(['spec', 'addresses'], spec.addresses)]
}

/** Validates a ListenerSet by the schema and rules of its CRD. */
export function validateListenerSet({ metadata, spec }: ListenerSet): FieldError[] {
  const { parentRef }: Partial<ListenerSet['spec']> = spec
  const at = ['spec', 'parentRef']
  const errors = validateMetadata(metadata, dnsSubdomain)
  if (parentRef === undefined) errors.push(required(at))
  else if (parentRef.name === '') errors.push(required([...at, 'name']))
  append(errors, validateGroupKind(at, parentRef ?? {}))
  return [...errors, ...validateListeners(spec.listeners)]
}

/** Validates `spec.listeners` of a Gateway or a ListenerSet. */
function validateListeners(listeners: readonly GatewayListener[]): FieldError[] {
  const errors: FieldError[] = []
  const at = ['spec', 'listeners']
  if (listeners.length === 0) errors.push(required(at))
  if (listeners.length > maxListeners) errors.push(tooMany(at, listeners.length, maxListeners))
  const [names, places] = [new Set<string>(), new Set<string>()]
  for (const [index, listener] of listeners.entries()) {
    append(errors, validateListener([...at, index], listener))
    const { name, port, protocol, hostname = '' } = listener
    const place = `${port} ${protocol} ${hostname}`
    if (name !== '' && names.has(name)) errors.push(duplicate([...at, index, 'name'], name))
    else if (places.has(place))
      errors.push(
        invalid(
          [...at, index],
          `${protocol}:${port}${hostname === '' ? '' : `:${hostname}`}`,
          'Combination of port, protocol and hostname must be unique for each listener',
        ),
      )
    names.add(name)
    places.add(place)
  }
  return errors
}

function validateAddresses(
  path: Path,
  addresses: readonly { type?: string; value?: string }[] = [],
): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { type = 'IPAddress', value }] of addresses.entries()) {
    if (value === undefined || !['IPAddress', 'Hostname'].includes(type)) continue
    const at = [...path, index, 'value']
    if (type === 'IPAddress' && addressFamily(value) === undefined)
      errors.push(invalid(at, value, 'must be an IP address'))
    if (type === 'Hostname' && !hostnamePattern.test(value))
      errors.push(
        invalid(
          at,
          value,
          `Hostname value must be empty or contain only valid characters (matching ${hostnamePattern.source})`,
        ),
      )
    const key = `${type} ${value}`
    if (seen.has(key)) errors.push(invalid(path, value, `${type} values must be unique`))
    seen.add(key)
  }
  return errors
}

function validateListener(path: Path, listener: GatewayListener): FieldError[] {
  const { name, hostname, port, protocol, tls, allowedRoutes } = listener
  const errors: FieldError[] = []
  const plain = ['HTTP', 'TCP', 'UDP']
  if (name === '') errors.push(required([...path, 'name']))
  else for (const detail of dnsSubdomain(name)) errors.push(invalid([...path, 'name'], name, detail))
  for (const detail of portNumber(port)) errors.push(invalid([...path, 'port'], port, detail))
  if (protocol === '') errors.push(required([...path, 'protocol']))
  if (hostname !== undefined && ['TCP', 'UDP'].includes(protocol))
    errors.push(
      invalid([...path, 'hostname'], hostname, "hostname must not be specified for protocols ['TCP', 'UDP']"),
    )
  else if (hostname !== undefined) append(errors, validateHostname([...path, 'hostname'], hostname))
  if (tls === undefined && protocol === 'TLS')
    errors.push(invalid(path, protocol, 'tls mode must be set for protocol TLS'))
  if (tls !== undefined) {
    const at = [...path, 'tls']
    append(errors, oneOf([...at, 'mode'], tls.mode, ['Terminate', 'Passthrough']))
    if (plain.includes(protocol))
      errors.push(invalid(at, tls, "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']"))
    else if (protocol === 'HTTPS' && tls.mode === 'Passthrough')
      errors.push(invalid([...at, 'mode'], tls.mode, 'tls mode must be Terminate for protocol HTTPS'))
    else if (
      tls.mode === 'Terminate' &&
      (tls.certificateRefs ?? []).length === 0 &&
      tls.options === undefined
    )
      errors.push(invalid(at, tls, 'certificateRefs or options must be specified when mode is Terminate'))
  }
  return [...errors, ...validateFrom([...path, 'allowedRoutes', 'namespaces'], allowedRoutes?.namespaces)]
}

function validateFrom(path: Path, { from, selector }: FromNamespaces = {}): FieldError[] {
  const errors = oneOf([...path, 'from'], from, ['All', 'Selector', 'Same', 'None'])
  return selector === undefined ? errors : [...errors, ...validateSelector([...path, 'selector'], selector)]
}

/** Validates a host name of a listener or a route: not an address, at most one `*`, as its first label. */
export function validateHostname(path: Path, hostname: string): FieldError[] {
  if (hostname === '') return [invalid(path, hostname, 'must be at least 1 character long')]
  if (addressFamily(hostname) !== undefined)
    return [invalid(path, hostname, 'must be a DNS name, not an IP address')]
  const format = hostname.includes('*') ? wildcardSubdomain : dnsSubdomain
  return format(hostname).map((detail) => invalid(path, hostname, detail))
}

/** Validates a reference to a backend: a Service needs a port. */
export function validateBackend(path: Path, backend: BackendReference): FieldError[] {
  const { group, kind, name, port } = backend
  const errors = name === '' ? [required([...path, 'name'])] : []
  append(errors, validateGroupKind(path, backend))
  if ((group ?? '') === '' && (kind ?? 'Service') === 'Service' && port === undefined)
    errors.push(invalid(path, name, 'Must have port for Service reference'))
  if (port !== undefined)
    for (const detail of portNumber(port)) errors.push(invalid([...path, 'port'], port, detail))
  return errors
}

/** Validates a ReferenceGrant by the schema of its CRD. */
export function validateReferenceGrant({ metadata, spec }: ReferenceGrant): FieldError[] {
  const errors = validateMetadata(metadata, dnsSubdomain)
  for (const field of ['from', 'to'] as const) {
    if (spec[field].length === 0) errors.push(required(['spec', field]))
    if (spec[field].length > 16) errors.push(tooMany(['spec', field], spec[field].length, 16))
    for (const [index, { kind }] of spec[field].entries())
      if (kind === '') errors.push(required(['spec', field, index, 'kind']))
  }
  for (const [index, { namespace }] of spec.from.entries())
    for (const detail of dnsLabel(namespace))
      errors.push(invalid(['spec', 'from', index, 'namespace'], namespace, detail))
  return errors
}
