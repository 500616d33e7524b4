import { isExternallyAccessible, isHeadless } from '../serviceType.js'
import type { Service } from '../types.js'
import { validateAddress, validateCIDR, validateNonSpecialAddress } from './addresses.js'
import { append, forbidden, invalid, oneOf, required, type FieldError } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, qualifiedName } from './formats.js'
import { validateLabels, validateMetadata } from './metadata.js'
import { validateServiceFamilies } from './serviceFamilies.js'
import { validateServicePorts } from './servicePorts.js'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const policies = ['Cluster', 'Local']
const maxAffinitySeconds = 86400

/** Validates a Service with defaults, except the checks of allocation (ValidateService). */
export function validateService(service: Service): FieldError[] {
  const { spec } = service
  return [
    ...validateMetadata(service.metadata, dnsLabel).filter((error) => !leftToAllocation(service, error)),
    ...validateServicePorts(service),
    ...oneOf(['spec', 'type'], spec.type, types),
    ...validateLabels(['spec', 'selector'], spec.selector),
    ...validateServiceFamilies(spec),
    ...validateType(service),
    ...validateAffinity(service),
    ...validateExternalIPs(service),
    ...validateSourceRanges(service),
    ...validateTrafficPolicies(service),
    ...validateIngress(service),
  ]
}

// The IPAddress object of a Service names it as parent, so the API server finds a missing name there first.
function leftToAllocation(service: Service, error: FieldError): boolean {
  return (
    service.metadata.name === '' &&
    error.path[1] === 'name' &&
    service.spec.type !== 'ExternalName' &&
    !isHeadless(service)
  )
}

function validateType(service: Service): FieldError[] {
  const { spec } = service
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    if (!isHeadless(service)) return []
    return [invalid(['spec', 'clusterIPs', 0], 'None', `may not be set to 'None' for ${spec.type} services`)]
  }
  return spec.type === 'ExternalName' ? validateExternalName(service) : []
}

function validateExternalName({ spec }: Service): FieldError[] {
  const errors = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const)
    .filter((field) => spec[field] !== undefined && spec[field].length > 0)
    .map((field) => forbidden(['spec', field], 'may not be set for ExternalName services'))
  const name = (spec.externalName ?? '').replace(/\.$/, '')
  if (name === '') return [...errors, required(['spec', 'externalName'])]
  return [...errors, ...dnsSubdomain(name).map((detail) => invalid(['spec', 'externalName'], name, detail))]
}

function validateAffinity({ spec }: Service): FieldError[] {
  const path = ['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds']
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds
  const errors = oneOf(['spec', 'sessionAffinity'], spec.sessionAffinity, ['ClientIP', 'None'])
  if (
    spec.sessionAffinity === 'ClientIP' &&
    seconds !== undefined &&
    !(seconds > 0 && seconds <= maxAffinitySeconds)
  )
    errors.push(invalid(path, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`))
  return errors
}

function validateExternalIPs({ spec }: Service): FieldError[] {
  return (spec.externalIPs ?? []).flatMap((address, index) => {
    const path = ['spec', 'externalIPs', index]
    const errors = validateAddress(path, address)
    return errors.length > 0 ? errors : validateNonSpecialAddress(path, address)
  })
}

function validateSourceRanges({ spec }: Service): FieldError[] {
  const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'"
  const isLoadBalancer = spec.type === 'LoadBalancer'
  const errors: FieldError[] = []
  const ranges = spec.loadBalancerSourceRanges ?? []
  // The API server writes this field name as in its Go struct.
  const path = ['spec', 'LoadBalancerSourceRanges']
  if (ranges.length > 0 && !isLoadBalancer) errors.push(forbidden(path, onlyLoadBalancer))
  else
    append(
      errors,
      ranges.flatMap((range, index) => validateCIDR([...path, index], range.trim())),
    )
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer)
    errors.push(forbidden(['spec', 'allocateLoadBalancerNodePorts'], onlyLoadBalancer))
  if (spec.loadBalancerClass !== undefined) {
    const at = ['spec', 'loadBalancerClass']
    if (!isLoadBalancer) errors.push(forbidden(at, onlyLoadBalancer))
    else
      errors.push(
        ...qualifiedName(spec.loadBalancerClass).map((detail) => invalid(at, spec.loadBalancerClass, detail)),
      )
  }
  return errors
}

function validateTrafficPolicies(service: Service): FieldError[] {
  const { spec } = service
  const errors: FieldError[] = []
  const policy = ['spec', 'externalTrafficPolicy']
  if (isExternallyAccessible(service)) append(errors, oneOf(policy, spec.externalTrafficPolicy, policies))
  else if (spec.externalTrafficPolicy !== undefined)
    errors.push(
      invalid(policy, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'),
    )
  const port = spec.healthCheckNodePort ?? 0
  if (port !== 0 && !(spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'))
    errors.push(
      invalid(
        ['spec', 'healthCheckNodePort'],
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    )
  append(errors, oneOf(['spec', 'internalTrafficPolicy'], spec.internalTrafficPolicy, policies))
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
  append(errors, oneOf(['spec', 'trafficDistribution'], spec.trafficDistribution, distributions))
  return errors
}

function validateIngress(service: Service): FieldError[] {
  return (service.status?.loadBalancer?.ingress ?? []).flatMap((ingress, index) => {
    const path = ['status', 'loadBalancer', 'ingress', index]
    return [
      ...(ingress.ip === undefined ? [] : validateAddress([...path, 'ip'], ingress.ip)),
      ...oneOf([...path, 'ipMode'], ingress.ipMode, ['VIP', 'Proxy']),
    ]
  })
}
