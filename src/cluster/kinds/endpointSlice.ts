import { sliceWarnings } from '../warnings/endpoints.js'
import { ageColumn, column, nameColumn } from '../columns/column.js'
import { firstThree } from '../columns/selectorText.js'
import {
  bool,
  int32,
  list,
  pointer,
  string,
  stringMap,
  stringType,
  strings,
  struct,
} from '../schema/field.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { objectReference, objectSchema } from '../schema/metadata.js'
import type { Endpoint, EndpointSlice } from '../types.js'
import {
  validateCanonicalAddress,
  validateFamily,
  validateNonSpecialAddress,
} from '../validation/addresses.js'
import { append, duplicate, invalid, oneOf, required, tooMany } from '../validation/fieldErrors.js'
import type { FieldError, Path } from '../validation/fieldErrors.js'
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName, type Format } from '../validation/formats.js'
import { validateLabels, validateMetadata } from '../validation/metadata.js'
import { immutableField } from '../validation/update.js'
import { defineKind } from './kind.js'

const hints = struct('EndpointHints', {
  forZones: list(struct('ForZone', { name: string }, ['name'])),
  forNodes: list(struct('ForNode', { name: string }, ['name'])),
})

const endpoint = struct(
  'Endpoint',
  {
    addresses: strings,
    conditions: struct('EndpointConditions', {
      ready: pointer(bool),
      serving: pointer(bool),
      terminating: pointer(bool),
    }),
    hostname: pointer(string),
    targetRef: objectReference,
    deprecatedTopology: stringMap,
    nodeName: pointer(string),
    zone: pointer(string),
    hints,
  },
  ['addresses', 'conditions'],
)

const endpointPort = struct('EndpointPort', {
  name: pointer(string),
  protocol: pointer(stringType('Protocol')),
  port: pointer(int32),
  appProtocol: pointer(string),
})

/** EndpointSlice of discovery.k8s.io/v1; columns as printEndpointSlice of Kubernetes v1.36 writes them. */
export const endpointSlice = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  plural: 'endpointslices',
  list: 'endpointSlices',
  schema: objectSchema(
    'EndpointSlice',
    { addressType: stringType('AddressType'), endpoints: list(endpoint), ports: list(endpointPort) },
    ['addressType', 'endpoints'],
  ),
  setDefaults,
  validate: () => [],
  validateCreate: (slice) => validateEndpointSlice(slice),
  warnings: sliceWarnings,
  validateUpdate: (before, next) => [
    ...validateEndpointSlice(next, before),
    ...immutableField(['addressType'])(before, next),
  ],
  canonicalize: withoutTopology,
  blank: { addressType: '', endpoints: null, ports: null },
  columns: [
    nameColumn,
    column('AddressType', 'family of the addresses', ({ addressType }) => addressType),
    column('Ports', 'ports of every endpoint', ({ ports }) =>
      firstThree((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))),
    ),
    column('Endpoints', 'addresses of the endpoints', ({ endpoints }) =>
      // A Go client writes null for an empty list of endpoints.
      firstThree(
        ((endpoints as EndpointSlice['endpoints'] | null) ?? []).flatMap(({ addresses }) => addresses),
      ),
    ),
    ageColumn,
  ],
})

/** The deprecated topology is not stored, unless an update leaves the endpoints as they are (dropTopologyOnV1). */
function withoutTopology(slice: EndpointSlice): EndpointSlice {
  if (slice.endpoints.every(({ deprecatedTopology }) => deprecatedTopology === undefined)) return slice
  const endpoints = slice.endpoints.map(({ deprecatedTopology: _dropped, ...endpoint }) => endpoint)
  return { ...slice, endpoints }
}

/** Sets the defaults of the ports of an EndpointSlice (SetDefaults_EndpointPort), and its generation. */
function setDefaults(written: EndpointSlice): EndpointSlice {
  const slice = withFirstGeneration(written)
  if (slice.ports === undefined) return slice
  const ports = slice.ports.map((port) => ({
    ...port,
    name: port.name ?? '',
    protocol: port.protocol ?? 'TCP',
  }))
  return { ...slice, ports }
}

const maxEndpoints = 1000
const maxAddresses = 100
const maxPorts = 20_000

const maxHints = 8
const maxTopologyLabels = 16

/** Validates a manual EndpointSlice; addresses that it already had are valid (ValidateEndpointSlice). */
function validateEndpointSlice(slice: EndpointSlice, before?: EndpointSlice): FieldError[] {
  const known = new Set(before?.endpoints.flatMap(({ addresses }) => addresses))
  return [
    ...validateMetadata(slice.metadata, dnsSubdomain),
    ...(String(slice.addressType) === ''
      ? [required(['addressType'])]
      : oneOf(['addressType'], slice.addressType, ['FQDN', 'IPv4', 'IPv6'])),
    ...(slice.endpoints.length > maxEndpoints
      ? [tooMany(['endpoints'], slice.endpoints.length, maxEndpoints)]
      : slice.endpoints.flatMap((endpoint, index) =>
          validateEndpoint(['endpoints', index], endpoint, slice, known),
        )),
    ...validatePorts(slice),
  ]
}

function validateEndpoint(
  path: Path,
  endpoint: Endpoint,
  slice: EndpointSlice,
  known: ReadonlySet<string>,
): FieldError[] {
  const { addresses, deprecatedTopology = {}, hints: { forZones = [], forNodes = [] } = {} } = endpoint
  const at = [...path, 'addresses']
  const errors: FieldError[] = []
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'))
  else if (addresses.length > maxAddresses) errors.push(tooMany(at, addresses.length, maxAddresses))
  for (const [index, address] of addresses.entries())
    if (!known.has(address)) append(errors, validateEndpointAddress(at, index, address, slice.addressType))
  if (endpoint.nodeName !== undefined)
    errors.push(
      ...dnsSubdomain(endpoint.nodeName).map((detail) =>
        invalid([...path, 'nodeName'], endpoint.nodeName, detail),
      ),
    )
  const topology = [...path, 'deprecatedTopology']
  const labels = Object.keys(deprecatedTopology).length
  if (labels > maxTopologyLabels) errors.push(tooMany(topology, labels, maxTopologyLabels))
  append(errors, validateLabels(topology, deprecatedTopology))
  if (endpoint.hostname !== undefined)
    errors.push(
      ...dnsLabel(endpoint.hostname).map((detail) =>
        invalid([...path, 'hostname'], endpoint.hostname, detail),
      ),
    )
  return [
    ...errors,
    ...validateHints([...path, 'hints', 'forZones'], forZones, labelValue),
    ...validateHints([...path, 'hints', 'forNodes'], forNodes, dnsSubdomain),
  ]
}

/** Validates the zones or the nodes of hints (validateHints). */
function validateHints(path: Path, hints: readonly { name: string }[], format: Format): FieldError[] {
  if (hints.length > maxHints) return [tooMany(path, hints.length, maxHints)]
  const names = hints.map(({ name }) => name)
  return names.flatMap((name, index) => {
    const at = [...path, index, 'name']
    return [
      ...(names.indexOf(name) < index ? [duplicate(at, name)] : []),
      ...format(name).map((detail) => invalid(at, name, detail)),
    ]
  })
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
  const malformed = validateCanonicalAddress([...path, index], address)
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
    if (port.appProtocol !== undefined)
      for (const detail of qualifiedName(port.appProtocol))
        errors.push(invalid([...path, 'appProtocol'], port.appProtocol, detail))
    return errors
  })
}
