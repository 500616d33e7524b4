import type { Endpoint, EndpointSlice } from '../types.js'
import { validateAddress, validateFamily, validateNonSpecialAddress } from './addresses.js'
import { append, duplicate, invalid, oneOf, required, tooMany } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain } from './formats.js'
import { validateMetadata } from './metadata.js'

const maxEndpoints = 1000
const maxAddresses = 100
const maxPorts = 20_000

/** Checks an EndpointSlice that somebody wrote by hand (ValidateEndpointSlice). */
export function validateEndpointSlice(slice: EndpointSlice): FieldError[] {
  return [
    ...validateMetadata(slice.metadata, dnsSubdomain),
    ...(String(slice.addressType) === ''
      ? [required(['addressType'])]
      : oneOf(['addressType'], slice.addressType, ['FQDN', 'IPv4', 'IPv6'])),
    ...(slice.endpoints.length > maxEndpoints
      ? [tooMany(['endpoints'], slice.endpoints.length, maxEndpoints)]
      : slice.endpoints.flatMap((endpoint, index) =>
          validateEndpoint(['endpoints', index], endpoint, slice),
        )),
    ...validatePorts(slice),
  ]
}

function validateEndpoint(path: Path, endpoint: Endpoint, slice: EndpointSlice): FieldError[] {
  const { addresses } = endpoint
  const at = [...path, 'addresses']
  const errors: FieldError[] = []
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'))
  else if (addresses.length > maxAddresses) errors.push(tooMany(at, addresses.length, maxAddresses))
  for (const [index, address] of addresses.entries())
    append(errors, validateEndpointAddress(at, index, address, slice.addressType))
  if (endpoint.nodeName !== undefined)
    errors.push(
      ...dnsSubdomain(endpoint.nodeName).map((detail) =>
        invalid([...path, 'nodeName'], endpoint.nodeName, detail),
      ),
    )
  if (endpoint.hostname !== undefined)
    errors.push(
      ...dnsLabel(endpoint.hostname).map((detail) =>
        invalid([...path, 'hostname'], endpoint.hostname, detail),
      ),
    )
  return errors
}

function validateEndpointAddress(
  path: Path,
  index: number,
  address: string,
  type: EndpointSlice['addressType'],
): FieldError[] {
  if (type === 'FQDN')
    return dnsSubdomain(address).map((detail) => invalid([...path, index], address, detail))
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const malformed = validateAddress([...path, index], address)
  if (malformed.length > 0) return malformed
  // The API server names the list, not the element, when only the family is wrong.
  return [...validateFamily(path, address, type), ...validateNonSpecialAddress([...path, index], address)]
}

function validatePorts(slice: EndpointSlice): FieldError[] {
  const ports = slice.ports ?? []
  if (ports.length > maxPorts) return [tooMany(['ports'], ports.length, maxPorts)]
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const { name = '' } = port
    const path = ['ports', index]
    const errors: FieldError[] = []
    if (name !== '')
      append(
        errors,
        dnsLabel(name).map((detail) => invalid([...path, 'name'], name, detail)),
      )
    if (names.has(name)) errors.push(duplicate([...path, 'name'], name))
    names.add(name)
    append(errors, oneOf([...path, 'protocol'], port.protocol, ['SCTP', 'TCP', 'UDP']))
    return errors
  })
}
