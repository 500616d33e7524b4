import type { IpFamily } from '../../net/ipFamily.js'
import type { Protocol, Service } from '../../cluster/types.js'
import { addressOfFamily, parseNetwork, type Network } from '../../net/address.js'
import type { ObjectField } from '../meaning.js'
import type { KubeProxyConfiguration } from './config.js'
import { servicePortKey } from './endpoints.js'
import { has } from './versions/features.js'
import { defaultVersion, type MinorVersion } from './versions/version.js'

/** One port of one Service in one family, with everything that its rules depend on. */
export interface ServicePort {
  readonly namespace: string
  readonly service: string
  /** Name of the port in the Service; may be empty. */
  readonly portName: string
  /** The position of the port in its Service, from 0. */
  readonly index: number
  /** `namespace/service:port`, or `namespace/service` for a port without a name. */
  readonly name: string
  readonly protocol: Protocol
  readonly protocolName: Lowercase<Protocol>
  /** Key into an EndpointsMap. */
  readonly key: string
  readonly clusterIP: string
  readonly port: number
  /** 0 when there is none. */
  readonly nodePort: number
  readonly externalIPs: readonly string[]
  /** Ingress addresses of the load balancer that packets keep as destination (ipMode VIP). */
  readonly loadBalancerVIPs: readonly string[]
  /** Empty: not restricted. */
  readonly sourceRanges: readonly Network[]
  readonly externalPolicyLocal: boolean
  readonly internalPolicyLocal: boolean
  /** 0 when there is none. */
  readonly healthCheckNodePort: number
  /** Session affinity timeout in seconds; 0 without session affinity. */
  readonly affinitySeconds: number
  readonly externallyAccessible: boolean
  readonly usesCluster: boolean
  readonly usesLocal: boolean
  /** Whether hints of EndpointSlices choose endpoints; before 1.31 an annotation enables that. */
  readonly usesHints: boolean
}

/** What of kube-proxy's version and feature gates affects a service port. */
export interface ServicePortOptions {
  /** Gate AllowServiceExternalIPs. */
  readonly externalIPs: boolean
  readonly version?: MinorVersion
}

/** The options of a configuration. */
export function servicePortOptions({ featureGates, version }: KubeProxyConfiguration): ServicePortOptions {
  return { externalIPs: featureGates['AllowServiceExternalIPs'] ?? true, version }
}

/** The Services that this kube-proxy handles; mirrors the watch's selectors and ShouldSkipService. */
export function handlesService(service: Service): boolean {
  const { spec, metadata } = service
  const labels = metadata.labels
  if (labels !== undefined && 'service.kubernetes.io/service-proxy-name' in labels) return false
  return spec.type !== 'ExternalName' && spec.clusterIP !== 'None' && spec.clusterIP !== ''
}

/** The ports of a Service in one family; none when the Service is not for this proxy or has no address here. */
export function servicePorts(
  service: Service,
  family: IpFamily,
  { externalIPs: takesExternalIPs, version = defaultVersion }: ServicePortOptions,
): readonly ServicePort[] {
  if (!handlesService(service)) return []
  const clusterIP = clusterIPOf(service, family)
  if (clusterIP === undefined) return []
  const { spec, metadata } = service
  const namespace = metadata.namespace ?? 'default'
  const declared = ofFamily(spec.externalIPs, family)
  const externalIPs = takesExternalIPs ? declared : []
  const vips = loadBalancerVIPs(service, family, version)
  const ranges = sourceRanges(spec.loadBalancerSourceRanges, family, version)
  const externalLocal = externalPolicyLocal(service, version)
  const internalLocal = spec.internalTrafficPolicy === 'Local'
  const healthCheck = healthCheckNodePort(service)
  const affinity = affinitySeconds(service)
  const usesHints = hintsApply(service, version)
  // Every property is written out: V8 makes slow objects of this size from a spread, and there are thousands.
  return (spec.ports ?? []).map((port, index) => {
    const portName = port.name ?? ''
    const protocol = port.protocol ?? 'TCP'
    const nodePort = port.nodePort ?? 0
    const externallyAccessible = nodePort !== 0 || vips.length > 0 || declared.length > 0
    return {
      namespace,
      service: metadata.name,
      portName,
      index,
      name: portName === '' ? `${namespace}/${metadata.name}` : `${namespace}/${metadata.name}:${portName}`,
      protocol,
      protocolName: protocol.toLowerCase() as Lowercase<Protocol>,
      key: servicePortKey(namespace, metadata.name, portName, protocol),
      clusterIP,
      port: port.port,
      nodePort,
      externalIPs,
      loadBalancerVIPs: vips,
      sourceRanges: ranges,
      externalPolicyLocal: externalLocal,
      internalPolicyLocal: internalLocal,
      healthCheckNodePort: healthCheck,
      affinitySeconds: affinity,
      externallyAccessible,
      usesCluster: !internalLocal || externallyAccessible,
      usesLocal: internalLocal || (externalLocal && externallyAccessible),
      usesHints,
    }
  })
}

/** The port as a field of its Service. */
export function portField({ namespace, service, portName, index }: ServicePort): ObjectField {
  const port = portName === '' ? {} : { port: portName }
  return { kind: 'Service', namespace, name: service, field: `spec.ports[${index}]`, ...port }
}

/** The Service's health check port; 0 unless it is a LoadBalancer with externalTrafficPolicy Local. */
export function healthCheckNodePort(service: Service): number {
  return service.spec.type === 'LoadBalancer' && service.spec.externalTrafficPolicy === 'Local'
    ? (service.spec.healthCheckNodePort ?? 0)
    : 0
}

/** externalTrafficPolicy Local applies only if external traffic is possible; mirrors ExternalPolicyLocal. */
function externalPolicyLocal({ spec }: Service, version: MinorVersion): boolean {
  if (spec.externalTrafficPolicy !== 'Local') return false
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true
  if (!has(version, 'externalPolicyOfClusterIP')) return false
  return (spec.type ?? 'ClusterIP') === 'ClusterIP' && (spec.externalIPs ?? []).length > 0
}

/** Mirrors HintsAnnotation and canUseTopology of pkg/proxy before 1.31. */
function hintsApply({ metadata: { annotations = {} } }: Service, version: MinorVersion): boolean {
  if (!has(version, 'hintsByAnnotation')) return true
  const old = annotations['service.kubernetes.io/topology-aware-hints']
  if (!has(version, 'anyHintsAnnotation')) return old === 'Auto' || old === 'auto'
  const value = old ?? annotations['service.kubernetes.io/topology-mode'] ?? ''
  return !['', 'disabled', 'Disabled'].includes(value)
}

function affinitySeconds({ spec }: Service): number {
  return spec.sessionAffinity === 'ClientIP'
    ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10800)
    : 0
}

/** Mirrors GetClusterIPByFamily: ipFamilies selects the address from clusterIPs. */
function clusterIPOf({ spec }: Service, family: IpFamily): string | undefined {
  const families = spec.ipFamilies ?? []
  if (families.length === 0) return addressOfFamily(spec.clusterIP, family)
  const index = families.indexOf(family)
  return index < 0 ? undefined : addressOfFamily(spec.clusterIPs?.[index], family)
}

const none: readonly never[] = []

function loadBalancerVIPs(service: Service, family: IpFamily, version: MinorVersion): readonly string[] {
  const ingress = service.status?.loadBalancer?.ingress
  if (!ingress) return none
  return ofFamily(
    ingress.filter(({ ipMode = 'VIP' }) => ipMode === 'VIP' || !has(version, 'ipMode')).map((one) => one.ip),
    family,
  )
}

function ofFamily(
  addresses: readonly (string | undefined)[] | undefined,
  family: IpFamily,
): readonly string[] {
  if (!addresses) return none
  return addresses.map((ip) => addressOfFamily(ip, family)).filter((ip) => ip !== undefined)
}

/** A range of prefix length 0 removes the restriction. */
function sourceRanges(
  ranges: readonly string[] | undefined,
  family: IpFamily,
  version: MinorVersion,
): readonly Network[] {
  if (!ranges) return none
  const networks = ranges
    .map((range) => parseNetwork(range.trim()))
    .filter((network) => network?.family === family)
  const isOpen = networks.some((network) => network?.prefixLength === 0) && has(version, 'openSourceRange')
  return isOpen ? [] : (networks as Network[])
}
