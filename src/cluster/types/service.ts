/** Source: Kubernetes API reference v1.36 (core/v1 and discovery.k8s.io/v1). */

import type { IpFamily } from '../../net/ipFamily.js'
import type { KubeObject } from './object.js'

export type Protocol = 'TCP' | 'UDP' | 'SCTP'

export interface ServicePort {
  name?: string
  protocol?: Protocol
  port: number
  targetPort?: number | string
  nodePort?: number
  appProtocol?: string
}

export type ServiceType = 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'
export type TrafficPolicy = 'Cluster' | 'Local'

export interface LoadBalancerIngress {
  ip?: string
  hostname?: string
  ipMode?: 'VIP' | 'Proxy'
}

export interface ServiceSpec {
  type?: ServiceType
  selector?: Record<string, string>
  ports?: ServicePort[]
  clusterIP?: string
  clusterIPs?: string[]
  ipFamilies?: IpFamily[]
  ipFamilyPolicy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack'
  externalIPs?: string[]
  externalName?: string
  externalTrafficPolicy?: TrafficPolicy
  internalTrafficPolicy?: TrafficPolicy
  healthCheckNodePort?: number
  loadBalancerIP?: string
  loadBalancerClass?: string
  loadBalancerSourceRanges?: string[]
  allocateLoadBalancerNodePorts?: boolean
  publishNotReadyAddresses?: boolean
  sessionAffinity?: 'None' | 'ClientIP'
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } }
  trafficDistribution?: 'PreferClose' | 'PreferSameZone' | 'PreferSameNode'
}

export interface Service extends KubeObject {
  kind: 'Service'
  spec: ServiceSpec
  status?: { loadBalancer?: { ingress?: LoadBalancerIngress[] } }
}

export interface Endpoint {
  addresses: string[]
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean }
  hostname?: string
  nodeName?: string
  zone?: string
  targetRef?: { kind: string; name: string; namespace?: string; uid?: string }
  deprecatedTopology?: Record<string, string>
  hints?: { forZones?: { name: string }[]; forNodes?: { name: string }[] }
}

export interface EndpointPort {
  name?: string
  protocol?: Protocol
  port?: number
  appProtocol?: string
}

export interface EndpointSlice extends KubeObject {
  kind: 'EndpointSlice'
  addressType: IpFamily | 'FQDN'
  endpoints: Endpoint[]
  ports?: EndpointPort[]
}

export interface EndpointAddress {
  ip: string
  hostname?: string
  nodeName?: string
  targetRef?: NonNullable<Endpoint['targetRef']>
}

/** Addresses with the same ports. */
export interface EndpointSubset {
  addresses?: EndpointAddress[]
  notReadyAddresses?: EndpointAddress[]
  ports?: EndpointPort[]
}

/** The older form of EndpointSlices, one object for each Service. */
export interface Endpoints extends KubeObject {
  kind: 'Endpoints'
  subsets?: EndpointSubset[]
}
