/**
 * The part of the Kubernetes API that has bearing on Services, in the API's own field names.
 */

import type { IngressControllerRef } from './ingressControllers.js'
import type { Gateway, GatewayClass, GRPCRoute, HTTPRoute, ReferenceGrant, TLSRoute } from './gatewayTypes.js'
import type { LoadBalancer } from './loadBalancers.js'
import type { Ingress, IngressClass } from './ingressTypes.js'
import type { Node } from './nodeTypes.js'
import type { ConfigMap, Namespace, Secret } from './objectTypes.js'
import type { EndpointSlice, Service } from './serviceTypes.js'
import type { DaemonSet, Deployment, Pod, ReplicaSet, StatefulSet } from './workloadTypes.js'

export type * from './ingressTypes.js'
export type * from './nodeTypes.js'
export type * from './objectTypes.js'
export type * from './serviceTypes.js'
export type * from './workloadTypes.js'

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
