import type { AddressRanges } from '../net/addressRanges.js'
/** The part of the Kubernetes API that affects Services, in the API's field names. */

import type { IpFamily } from '../net/ipFamily.js'
import type { EventLog } from './types/event.js'
import type {
  Gateway,
  GatewayClass,
  GRPCRoute,
  HTTPRoute,
  ListenerSet,
  ReferenceGrant,
  TLSRoute,
} from './types/gateway.js'
import type { CronJob, Job, ReplicationController } from './types/batch.js'
import type { ClusterNetworkPolicy } from './types/clusterNetworkPolicy.js'
import type { Ingress, IngressClass } from './types/ingress.js'
import type { NetworkPolicy } from './types/networkPolicy.js'
import type { Node } from './types/node.js'
import type { ConfigMap, KubeObject, Namespace, Secret } from './types/object.js'
import type { Endpoints, EndpointSlice, Service } from './types/service.js'
import type { IPAddress, ServiceCIDR } from './types/serviceCidr.js'
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  Pod,
  ReplicaSet,
  StatefulSet,
} from './types/workload.js'
import type { Json } from './yaml/json.js'

export type * from './types/affinity.js'
export type * from './types/batch.js'
export type * from './types/clusterNetworkPolicy.js'
export type * from './types/event.js'
export type * from './types/ingress.js'
export type * from './types/networkPolicy.js'
export type * from './types/node.js'
export type * from './types/object.js'
export type * from './types/service.js'
export type * from './types/serviceCidr.js'
export type * from './types/workload.js'

/** A deleted pod: neither its generated name nor its addresses are reused soon. */
export interface DeletedPod {
  readonly namespace: string
  readonly name: string
  readonly node: string
  readonly addresses: readonly string[]
}

/** The objects of a cluster by kind. */
export interface ObjectLists {
  readonly nodes: readonly Node[]
  readonly namespaces: readonly Namespace[]
  readonly deployments: readonly Deployment[]
  /** Written by hand or created for Deployments; absent means none. */
  readonly replicaSets?: readonly ReplicaSet[]
  /** Absent means none, for these kinds too. */
  readonly statefulSets?: readonly StatefulSet[]
  readonly daemonSets?: readonly DaemonSet[]
  readonly replicationControllers?: readonly ReplicationController[]
  readonly jobs?: readonly Job[]
  readonly cronJobs?: readonly CronJob[]
  readonly configMaps?: readonly ConfigMap[]
  readonly secrets?: readonly Secret[]
  readonly ingressClasses?: readonly IngressClass[]
  readonly ingresses?: readonly Ingress[]
  readonly gatewayClasses?: readonly GatewayClass[]
  readonly gateways?: readonly Gateway[]
  readonly listenerSets?: readonly ListenerSet[]
  readonly httpRoutes?: readonly HTTPRoute[]
  readonly grpcRoutes?: readonly GRPCRoute[]
  readonly tlsRoutes?: readonly TLSRoute[]
  readonly referenceGrants?: readonly ReferenceGrant[]
  readonly networkPolicies?: readonly NetworkPolicy[]
  readonly clusterNetworkPolicies?: readonly ClusterNetworkPolicy[]
  readonly podDisruptionBudgets?: readonly KubeObject[]
  readonly priorityClasses?: readonly KubeObject[]
  /** Further ranges of cluster IPs. */
  readonly serviceCidrs?: readonly ServiceCIDR[]
  /** Those that users wrote; the API shows one for each cluster IP too. */
  readonly ipAddresses?: readonly IPAddress[]
  readonly pods: readonly Pod[]
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
  /** Those that users wrote; the API computes those of Services with a selector. */
  readonly endpoints?: readonly Endpoints[]
}

/** A snapshot of the cluster; a reconciler takes one and returns the next, and never changes it in place. */
export interface Cluster extends ObjectLists {
  /** The time of this snapshot (RFC 3339) in a live cluster, in which pods take time to start and to end. */
  readonly now?: string
  /** The templates of StatefulSets and DaemonSets; only controllers write them. Absent means none. */
  readonly controllerRevisions?: readonly ControllerRevision[]
  /** What controllers and kubelets of a live cluster report; absent means nothing. */
  readonly events?: EventLog
  /** The first ranges of cluster IPs; absent: those of every lab. */
  readonly serviceRanges?: AddressRanges['services']
  /** Deleted pods of a live cluster. */
  readonly past?: readonly DeletedPod[]
  /** The last applied manifests, by the key of the object. */
  readonly applied?: ReadonlyMap<string, Json>
  /** What runs instead of images; absent: every command is one that the host has. */
  readonly commands?: Commands | undefined
  /** Absent where the cluster has no load balancer. */
  readonly loadBalancer?: LoadBalancer | undefined
  /** Absent where the cluster has no ingress controller. */
  readonly ingressControllers?: readonly IngressControllerRef[] | undefined
}

/** What runs instead of images, which are not pulled. */
export interface Commands {
  /** Whether the host has a program: an absolute path, or a name on the PATH of containers. */
  readonly exists: (program: string) => boolean
  /** The command of an image, or the built-in echo server, by patterns with `*` for any text. */
  readonly images: Readonly<Record<string, 'echo' | readonly string[]>>
}

/** The load balancer of a lab's Services of type LoadBalancer. */
export interface LoadBalancer {
  /** In layer2 mode one node announces each address (MetalLB); a proxy is a host in front of the node ports. */
  readonly mode: 'layer2' | 'proxy'
  /** Whether packets reach the nodes with the balancer's address as destination (KEP-1860). */
  readonly ipMode: 'VIP' | 'Proxy'
  /** The loadBalancerClass of the Services that it serves; when absent, it serves those without one. */
  readonly class?: string | undefined
  /** The ranges of its addresses. */
  readonly ranges: Readonly<Record<IpFamily, string>>
}

/** The controller of some Ingress classes, and the Service through which clients reach it. */
export interface IngressControllerRef {
  /** `spec.controller` of the classes. */
  readonly controller: string
  readonly service: { readonly namespace: string; readonly name: string }
  /** The proxy that it configures, if its features are known. */
  readonly proxy?: 'nginx' | 'haproxy' | undefined
  /** Writes the status of the objects that it serves; see `ingressController`. */
  readonly reconcile?: Reconciler | undefined
}

/** A controller as a pure function: returns the same snapshot object when there is nothing to do. */
export type Reconciler = (cluster: Cluster) => Cluster
