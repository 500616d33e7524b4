import { endpointsWarnings } from '../warnings/endpoints.js'
import { addressFamily } from '../../net/ranges.js'
import { joinHostPort } from '../../net/socketText.js'
import { ageColumn, column, nameColumn } from '../columns/column.js'
import { repackSubsets } from '../endpointSubsets.js'
import { int32, list, pointer, string, stringType, struct } from '../schema/field.js'
import { objectReference, objectSchema } from '../schema/metadata.js'
import type { EndpointAddress, EndpointPort, Endpoints, EndpointSubset } from '../types.js'
import { validateAddress, validateNonSpecialAddress } from '../validation/addresses.js'
import { invalid, oneOf, required, type FieldError, type Path } from '../validation/fieldErrors.js'
import { dnsLabel, dnsSubdomain, portNumber, qualifiedName } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { isSame } from '../validation/update.js'
import { defineKind } from './kind.js'

const address = struct(
  'EndpointAddress',
  { ip: string, hostname: string, nodeName: pointer(string), targetRef: objectReference },
  ['ip'],
)

const subset = struct('EndpointSubset', {
  addresses: list(address),
  notReadyAddresses: list(address),
  ports: list(
    struct(
      'EndpointPort',
      { name: string, port: int32, protocol: stringType('Protocol'), appProtocol: pointer(string) },
      ['port'],
    ),
  ),
})

/** Endpoints of core/v1; columns as printEndpoints of Kubernetes v1.36 writes them. */
export const endpoints = defineKind<Endpoints>({
  group: '',
  plural: 'endpoints',
  shortNames: ['ep'],
  list: 'endpoints',
  schema: objectSchema('Endpoints', { subsets: list(subset) }),
  setDefaults,
  validate: () => [],
  validateCreate: validateEndpoints,
  warnings: endpointsWarnings,
  validateUpdate: validateEndpointsUpdate,
  canonicalize: ({ subsets, ...rest }) => {
    const packed = repackSubsets(subsets ?? [])
    return packed.length === 0 ? rest : { ...rest, subsets: packed }
  },
  columns: [
    nameColumn,
    column('Endpoints', 'addresses and ports of ready endpoints', socketsText),
    ageColumn,
  ],
})

/** Sets the protocol of ports (SetDefaults_Endpoints). */
function setDefaults(object: Endpoints): Endpoints {
  if (object.subsets === undefined) return object
  const subsets = object.subsets.map((subset) =>
    subset.ports === undefined
      ? subset
      : { ...subset, ports: subset.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) },
  )
  return { ...object, subsets }
}

function socketsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  const sockets = subsets.flatMap(({ addresses = [], ports }) =>
    ports === undefined
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip }) => joinHostPort(ip, port))),
  )
  const more = sockets.length > 3 ? ` + ${sockets.length - 3} more...` : ''
  return sockets.slice(0, 3).join(',') + more
}

/** Validates Endpoints that are created (ValidateEndpointsCreate). */
function validateEndpoints({ metadata, subsets = [] }: Endpoints): FieldError[] {
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...subsets.flatMap((subset, index) => validateSubset(['subsets', index], subset)),
  ]
}

/** Validates Endpoints that are updated: subsets that do not change are valid (ValidateEndpointsUpdate). */
function validateEndpointsUpdate(before: Endpoints, next: Endpoints): FieldError[] {
  return validateEndpoints(isSame(before.subsets, next.subsets) ? { ...next, subsets: [] } : next)
}

function validateSubset(path: Path, subset: EndpointSubset): FieldError[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...validateAddresses([...path, 'addresses'], addresses),
    ...validateAddresses([...path, 'notReadyAddresses'], notReadyAddresses),
    ...ports.flatMap((port, index) => validatePort([...path, 'ports', index], port, ports.length > 1)),
  ]
}

function validateAddresses(path: Path, addresses: readonly EndpointAddress[]): FieldError[] {
  return addresses.flatMap(({ ip, hostname = '', nodeName }, index) => {
    const at = (field: string): Path => [...path, index, field]
    return [
      ...validateAddress(at('ip'), ip),
      ...(hostname === ''
        ? []
        : dnsLabel(hostname).map((detail) => invalid(at('hostname'), hostname, detail))),
      ...(nodeName === undefined
        ? []
        : dnsSubdomain(nodeName).map((detail) => invalid(at('nodeName'), nodeName, detail))),
      ...(addressFamily(ip) === undefined
        ? [invalid(at('ip'), ip, 'must be a valid IP address')]
        : validateNonSpecialAddress(at('ip'), ip)),
    ]
  })
}

function validatePort(path: Path, port: EndpointPort, needsName: boolean): FieldError[] {
  const { name = '', protocol, appProtocol, port: number = 0 } = port
  const invalidAt = (field: string, value: unknown, details: readonly string[]) =>
    details.map((detail) => invalid([...path, field], value, detail))
  return [
    ...(name !== ''
      ? invalidAt('name', name, dnsLabel(name))
      : needsName
        ? [required([...path, 'name'])]
        : []),
    ...invalidAt('port', number, portNumber(number)),
    ...oneOf([...path, 'protocol'], protocol, ['SCTP', 'TCP', 'UDP']),
    ...(appProtocol === undefined ? [] : invalidAt('appProtocol', appProtocol, qualifiedName(appProtocol))),
  ]
}
