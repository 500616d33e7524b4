import { isExternallyAccessible, isHeadless } from '../serviceType.js'
import type { Service } from '../types.js'
import { validateAddress, validateCIDR, validateNonSpecialAddress, withoutLeadingZeros } from './addresses.js'
import { append, atKey, forbidden, invalid, oneOf, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, qualifiedName } from './formats.js'
import { validateLabels, validateMetadata } from './metadata.js'
import { validateServiceFamilies } from './serviceFamilies.js'
import { requirePorts, validatePortPairs, validateServicePorts } from './servicePorts.js'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const policies = ['Cluster', 'Local']
const maxAffinitySeconds = 86400

/** Validates a Service with defaults, except the checks of allocation, in the order of the API server (ValidateService). */
export function validateService(service: Service): FieldError[] {
  const { spec } = service
  return [
    ...validateMetadata(service.metadata, dnsLabel),
    ...validateTopologyMode(service),
    ...requirePorts(service),
    ...validateType(service),
    ...validateServicePorts(service),
    ...validateLabels(['spec', 'selector'], spec.selector),
    ...validateAffinity(service),
    ...validateServiceFamilies(spec),
    ...validateExternalIPs(service),
    ...oneOf(['spec', 'type'], spec.type, types),
    ...validatePortPairs(service),
    ...validateSourceRanges(service),
    ...validateLoadBalancerFields(service),
    ...validateTrafficPolicies(service),
  ]
}

const topologyMode = 'service.kubernetes.io/topology-mode'
const topologyHints = 'service.kubernetes.io/topology-aware-hints'

function validateTopologyMode({ metadata: { annotations = {} } }: Service): FieldError[] {
  const { [topologyMode]: mode, [topologyHints]: hints } = annotations
  if (mode === undefined || hints === undefined || mode === hints) return []
  const detail = `must match annotations[${topologyHints}] when both are specified`
  return [atAnnotation(topologyMode, (path) => invalid(path, mode, detail))]
}

function atAnnotation(key: string, error: (path: Path) => FieldError): FieldError {
  return atKey('metadata.annotations', key, error(['metadata', 'annotations', key]))
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
    .filter((field) => spec[field] !== undefined && (field === 'ipFamilyPolicy' || spec[field].length > 0))
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

const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'"
const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges'

/** Validates the source ranges, or the annotation that the API had before this field. */
function validateSourceRanges({ spec, metadata: { annotations = {} } }: Service): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [] } = spec
  const isLoadBalancer = spec.type === 'LoadBalancer'
  // The API server writes this field name as in its Go struct.
  const path = ['spec', 'LoadBalancerSourceRanges']
  if (ranges.length > 0)
    return [
      ...(isLoadBalancer ? [] : [forbidden(path, onlyLoadBalancer)]),
      ...ranges.flatMap((range, index) => validateCIDR([...path, index], range.trim())),
    ]
  const annotation = annotations[sourceRanges]
  if (annotation === undefined) return []
  const texts = annotation.trim() === '' ? [] : annotation.split(',')
  return [
    ...(isLoadBalancer ? [] : [atAnnotation(sourceRanges, (at) => forbidden(at, onlyLoadBalancer))]),
    ...texts.flatMap((text) =>
      validateCIDR(['metadata', 'annotations', sourceRanges], text.trim()).map((error) =>
        atKey('metadata.annotations', sourceRanges, error),
      ),
    ),
  ]
}

function validateLoadBalancerFields({ spec }: Service): FieldError[] {
  const isLoadBalancer = spec.type === 'LoadBalancer'
  const errors: FieldError[] = []
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer)
    errors.push(forbidden(['spec', 'allocateLoadBalancerNodePorts'], onlyLoadBalancer))
  const { loadBalancerClass } = spec
  const at = ['spec', 'loadBalancerClass']
  if (loadBalancerClass === undefined) return errors
  if (!isLoadBalancer) return [...errors, forbidden(at, onlyLoadBalancer)]
  return qualifiedName(loadBalancerClass).map((detail) => invalid(at, loadBalancerClass, detail))
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

/** Whether the addresses of a load balancer are valid (ValidateLoadBalancerStatus). */
export function isValidStatus({
  loadBalancer: { ingress = [] } = {},
}: NonNullable<Service['status']>): boolean {
  return ingress.every(
    ({ ip, ipMode }) =>
      (ip === undefined || validateAddress([], withoutLeadingZeros(ip)).length === 0) &&
      oneOf([], ipMode, ['VIP', 'Proxy']).length === 0,
  )
}
