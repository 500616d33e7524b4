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
    ...validateFamilies(spec),
    ...oneOf(['spec', 'ipFamilyPolicy'], spec.ipFamilyPolicy, policies),
    ...validateClusterIPs(spec),
    ...validatePolicy(spec),
  ]
}

function validateFamilies({ ipFamilies = [] }: ServiceSpec): FieldError[] {
  return ipFamilies.flatMap((family, index) => {
    const path = ['spec', 'ipFamilies', index]
    if (family !== 'IPv4' && family !== 'IPv6') return [notSupported(path, family, ['IPv4', 'IPv6'])]
    return ipFamilies.indexOf(family) < index ? [duplicate(path, family)] : []
  })
}

function validateClusterIPs({ clusterIP, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  const path = ['spec', 'clusterIPs']
  if (clusterIPs[0] === 'None') {
    if (clusterIPs.length === 1) return []
    return [invalid(path, clusterIPs, "'None' must be the first and only value")]
  }
  if (clusterIPs.length > 0 && clusterIP !== clusterIPs[0])
    return [invalid(path, clusterIPs, 'first value must match `clusterIP`')]
  const wrong = clusterIPs.flatMap((address, index) => validateAddress([...path, index], address))
  if (wrong.length > 0) return wrong
  if (clusterIPs.length > 2) return [invalid(path, clusterIPs, 'may only hold up to 2 values')]
  const families = clusterIPs.map(addressFamily)
  if (families.length === 2 && families[0] === families[1])
    return [invalid(path, clusterIPs, 'may specify no more than one IP for each IP family')]
  return clusterIPs.flatMap((address, index) => {
    const wanted = ipFamilies[index]
    if (wanted === undefined || wanted === families[index]) return []
    return [
      invalid(
        [...path, index],
        address,
        `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``,
      ),
    ]
  })
}

function validatePolicy({ ipFamilyPolicy, ipFamilies = [], clusterIPs = [] }: ServiceSpec): FieldError[] {
  const path = ['spec', 'ipFamilyPolicy']
  const policy = ipFamilyPolicy ?? 'SingleStack'
  if (policy !== 'SingleStack') return []
  const wanted = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"
  return [
    ...(clusterIPs.length === 2 ? [invalid(path, policy, `${wanted} cluster IPs are specified`)] : []),
    ...(ipFamilies.length === 2 ? [invalid(path, policy, `${wanted} IP families are specified`)] : []),
  ]
}
