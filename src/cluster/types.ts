/**
 * The part of the Kubernetes API that has bearing on Services, in the API's own field names.
 * Source: Kubernetes API reference v1.36 (core/v1, apps/v1, discovery.k8s.io/v1).
 */

import type { IngressControllerRef } from './ingressControllers.js'
import type { Gateway, GatewayClass, GRPCRoute, HTTPRoute, ReferenceGrant, TLSRoute } from './gatewayTypes.js'
import type { LoadBalancer } from './loadBalancers.js'

export type IpFamily = 'IPv4' | 'IPv6'
export type Protocol = 'TCP' | 'UDP' | 'SCTP'

export interface ObjectMeta {
  name: string
  namespace?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  uid?: string
  resourceVersion?: string
  generation?: number
  generateName?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  ownerReferences?: OwnerReference[]
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid?: string
  controller?: boolean
}

/** What every object has. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface Namespace extends KubeObject {
  kind: 'Namespace'
}

export interface Taint {
  key: string
  value?: string
  effect: string
}

export interface NodeAddress {
  type: 'InternalIP' | 'ExternalIP' | 'Hostname' | 'InternalDNS' | 'ExternalDNS'
  address: string
}

export interface Node extends KubeObject {
  kind: 'Node'
  spec?: { podCIDR?: string; podCIDRs?: string[]; taints?: Taint[]; unschedulable?: boolean }
  status?: { addresses?: NodeAddress[]; conditions?: NodeCondition[] }
}

export interface NodeCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
}

export interface ContainerPort {
  name?: string
  containerPort: number
  hostPort?: number
  hostIP?: string
  protocol?: Protocol
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: Record<string, unknown>
}

export interface Probe {
  httpGet?: {
    path?: string
    port: number | string
    scheme?: string
    host?: string
    httpHeaders?: { name: string; value: string }[]
  }
  tcpSocket?: { port: number | string; host?: string }
  exec?: { command: string[] }
  grpc?: { port: number; service?: string }
  initialDelaySeconds?: number
  periodSeconds?: number
  timeoutSeconds?: number
  successThreshold?: number
  failureThreshold?: number
}

export interface Container {
  name: string
  image: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  ports?: ContainerPort[]
  readinessProbe?: Probe
  livenessProbe?: Probe
  startupProbe?: Probe
  [other: string]: unknown
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  hostNetwork?: boolean
  hostname?: string
  subdomain?: string
  terminationGracePeriodSeconds?: number
  [other: string]: unknown
}

/** As much of a container's status as kubelet's reports change. */
export interface ContainerStatus {
  name: string
  restartCount: number
  [other: string]: unknown
}

export interface PodCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
}

export interface Pod extends KubeObject {
  kind: 'Pod'
  spec: PodSpec
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
    podIP?: string
    podIPs?: { ip: string }[]
    hostIP?: string
    startTime?: string
    conditions?: PodCondition[]
    containerStatuses?: ContainerStatus[]
  }
}

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: {
    key: string
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    values?: string[]
  }[]
}

export interface Deployment extends KubeObject {
  kind: 'Deployment'
  spec: {
    replicas?: number
    selector: LabelSelector
    template: { metadata?: Partial<ObjectMeta>; spec: PodSpec }
    [other: string]: unknown
  }
}

export interface ReplicaSet extends KubeObject {
  kind: 'ReplicaSet'
  spec: {
    replicas?: number
    selector: LabelSelector
    template: { metadata?: Partial<ObjectMeta>; spec: PodSpec }
    [other: string]: unknown
  }
}

export interface Toleration {
  key?: string
  operator?: 'Exists' | 'Equal'
  value?: string
  effect?: string
}

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

export interface IngressBackend {
  service?: { name: string; port: { name?: string; number?: number } }
  resource?: { apiGroup?: string; kind: string; name: string }
}

export interface IngressPath {
  path?: string
  pathType?: string
  backend: IngressBackend
}

export interface Ingress extends KubeObject {
  kind: 'Ingress'
  spec: {
    ingressClassName?: string
    defaultBackend?: IngressBackend
    rules?: { host?: string; http?: { paths: IngressPath[] } }[]
    tls?: { hosts?: string[]; secretName?: string }[]
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } }
}

export interface IngressClass extends KubeObject {
  kind: 'IngressClass'
  spec: {
    controller: string
    parameters?: {
      apiGroup?: string
      kind: string
      name: string
      scope?: 'Cluster' | 'Namespace'
      namespace?: string
    }
  }
}

export interface StatefulSet extends KubeObject {
  kind: 'StatefulSet'
  spec: {
    replicas?: number
    serviceName?: string
    podManagementPolicy?: 'OrderedReady' | 'Parallel'
    /** The first pod's number. */
    ordinals?: { start?: number }
    updateStrategy?: { type?: 'RollingUpdate' | 'OnDelete'; rollingUpdate?: { partition?: number } }
    selector: LabelSelector
    template: { metadata?: Partial<ObjectMeta>; spec: PodSpec }
    [other: string]: unknown
  }
}

export interface DaemonSet extends KubeObject {
  kind: 'DaemonSet'
  spec: {
    updateStrategy?: {
      type?: 'RollingUpdate' | 'OnDelete'
      rollingUpdate?: { maxUnavailable?: number | string }
    }
    selector: LabelSelector
    template: { metadata?: Partial<ObjectMeta>; spec: PodSpec }
    [other: string]: unknown
  }
}

export interface ConfigMap extends KubeObject {
  kind: 'ConfigMap'
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}

export interface Secret extends KubeObject {
  kind: 'Secret'
  type?: string
  /** In base64. */
  data?: Record<string, string>
  /** Only in what is written; the API server makes data of it. */
  stringData?: Record<string, string>
  immutable?: boolean
}

/** A pod that was, of which something is remembered: neither its generated name nor its addresses come again soon. */
export interface PastPod {
  readonly namespace: string
  readonly name: string
  readonly node: string
  readonly addresses: readonly string[]
}

/** What a manifest said of an object when it was last applied: what it says no more is taken away (kubectl apply). */
export interface Applied {
  readonly labels: readonly string[]
  readonly annotations: readonly string[]
  readonly replicas: boolean
}

/** A snapshot of the cluster; reconcilers take one and return the next, never changing it in place. */
export interface Cluster {
  /** The time of this snapshot (RFC 3339) in a cluster that lives: its pods take time to begin and to end. */
  readonly now?: string
  /** Pods that a cluster that lives has lost. */
  readonly past?: readonly PastPod[]
  /** By the key of the object. */
  readonly applied?: ReadonlyMap<string, Applied>
  /** Absent where nobody looks after Services of type LoadBalancer. */
  readonly loadBalancer?: LoadBalancer | undefined
  /** Absent where nobody serves Ingresses. */
  readonly ingressControllers?: readonly IngressControllerRef[] | undefined
  readonly nodes: readonly Node[]
  readonly namespaces: readonly Namespace[]
  readonly deployments: readonly Deployment[]
  /** Written by hand or made for Deployments; absent means none. */
  readonly replicaSets?: readonly ReplicaSet[]
  /** These kinds too: absent means none. */
  readonly statefulSets?: readonly StatefulSet[]
  readonly daemonSets?: readonly DaemonSet[]
  readonly configMaps?: readonly ConfigMap[]
  readonly secrets?: readonly Secret[]
  readonly ingressClasses?: readonly IngressClass[]
  readonly ingresses?: readonly Ingress[]
  readonly gatewayClasses?: readonly GatewayClass[]
  readonly gateways?: readonly Gateway[]
  readonly httpRoutes?: readonly HTTPRoute[]
  readonly grpcRoutes?: readonly GRPCRoute[]
  readonly tlsRoutes?: readonly TLSRoute[]
  readonly referenceGrants?: readonly ReferenceGrant[]
  readonly pods: readonly Pod[]
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
}
