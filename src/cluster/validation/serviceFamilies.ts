import { addressFamily } from '../../net/ranges.js'
import type { ServiceSpec } from '../types.js'
import { validateAddress } from './addresses.js'
import { duplicate, invalid, notSupported, oneOf, type FieldError } from './fieldErrors.js'

const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** Validates clusterIPs, ipFamilies and ipFamilyPolicy against each other (ValidateServiceClusterIPsRelatedFields). */
export function validateServiceFamilies(spec: ServiceSpec): FieldError[] {
  // ExternalName may have none of these; another check reports that once.
  if (spec.type === 'ExternalName') return []
  return [
    ...validateFirst(spec),
    ...validateFamilies(spec),
    ...oneOf(['spec', 'ipFamilyPolicy'], spec.ipFamilyPolicy, policies),
    ...validateClusterIPs(spec),
  ]
}

function validateFirst({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  const path = ['spec', 'clusterIPs']
  if (clusterIPs.length === 0 || (clusterIP !== '' && clusterIPs[0] === clusterIP)) return []
  const detail =
    clusterIP === ''
      ? 'must be empty when `clusterIP` is not specified'
      : 'first value must match `clusterIP`'
  return [invalid(path, clusterIPs, detail)]
}

function validateFamilies({ ipFamilies = [] }: ServiceSpec): FieldError[] {
  return ipFamilies.flatMap((family, index) => {
    const path = ['spec', 'ipFamilies', index]
    return [
      ...(family === 'IPv4' || family === 'IPv6' ? [] : [notSupported(path, family, ['IPv4', 'IPv6'])]),
      ...(ipFamilies.indexOf(family) < index ? [duplicate(path, family)] : []),
    ]
  })
}

function validateClusterIPs({ clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  const path = ['spec', 'clusterIPs']
  const wrong = clusterIPs.flatMap((address, index) => {
    if (index > 0 || address !== 'None') return validateAddress([...path, index], address)
    return clusterIPs.length === 1
      ? []
      : [invalid(path, clusterIPs, "'None' must be the first and only value")]
  })
  const many = clusterIPs.length > 2 ? [invalid(path, clusterIPs, 'may only hold up to 2 values')] : []
  if (wrong.length > 0 || clusterIPs[0] === 'None') return [...wrong, ...many]
  const families = clusterIPs.map(addressFamily)
  const one =
    clusterIPs.length > 1 && new Set(families).size === 1
      ? [invalid(path, clusterIPs, 'may specify no more than one IP for each IP family')]
      : []
  const others = clusterIPs.flatMap((address, index) => {
    const wanted = ipFamilies[index]
    if ((wanted !== 'IPv4' && wanted !== 'IPv6') || wanted === families[index]) return []
    const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``
    return [invalid([...path, index], address, detail)]
  })
  return [...many, ...one, ...others]
}
