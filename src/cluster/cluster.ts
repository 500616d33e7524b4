import { InputError } from '../errors.js'
import type { Problem } from '../errors.js'
import type { AddressRanges } from '../topology/types.js'
import { allocateServices } from './allocation/services.js'
import { appliedByKey } from './applied.js'
import { reconcileDaemonSets } from './controllers/daemonSets.js'
import { reconcileDeployments } from './controllers/deployments.js'
import { reconcileEndpointSlices } from './controllers/endpointSlices.js'
import { assignLoadBalancerAddresses } from './controllers/loadBalancers.js'
import { markRunning } from './controllers/markRunning.js'
import { assignPodAddresses } from './controllers/podAddresses.js'
import { reconcileReplicaSets } from './controllers/replicaSets.js'
import { schedulePods } from './controllers/scheduler.js'
import { reconcileStatefulSets } from './controllers/statefulSets.js'
import { duplicateProblems } from './duplicates.js'
import type { Gateway, GatewayClass, GRPCRoute, HTTPRoute, ReferenceGrant, TLSRoute } from './gatewayTypes.js'
import { withDefaultClass } from './ingressClass.js'
import { tellGatewayStatus, tellIngressAddresses, type IngressControllerRef } from './ingressControllers.js'
import { limitProblems } from './limits.js'
import type { LoadBalancer } from './loadBalancers.js'
import type { LocatedObject } from './locatedObject.js'
import { buildNodes } from './nodes.js'
import { placementProblems } from './placement.js'
import { portClashes } from './portClashes.js'
import { reconcile } from './reconcile.js'
import type { Reconciler } from './reconcile.js'
import type {
  Cluster,
  ConfigMap,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Ingress,
  IngressClass,
  IpFamily,
  KubeObject,
  Namespace,
  Pod,
  ReplicaSet,
  Secret,
  StatefulSet,
} from './types.js'

export interface ClusterOptions {
  /** The nodes of the lab's topology; when there are none, Node objects make the nodes. */
  readonly nodes: readonly {
    readonly name: string
    readonly zone?: string | undefined
    readonly labels: Readonly<Record<string, string>>
  }[]
  readonly ranges: AddressRanges
  /** The cluster's families, primary first. */
  readonly families: readonly IpFamily[]
  /** Who looks after Services of type LoadBalancer; nobody when it is absent. */
  readonly loadBalancer?: LoadBalancer | undefined
  /** What serves Ingresses; nobody when it is absent. */
  readonly ingressControllers?: readonly IngressControllerRef[] | undefined
}

/** The controllers of every cluster, in the order that needs the fewest rounds. */
export const controllers: readonly Reconciler[] = [
  reconcileDeployments,
  reconcileReplicaSets,
  reconcileStatefulSets,
  reconcileDaemonSets,
  schedulePods,
  assignPodAddresses,
  markRunning,
  reconcileEndpointSlices,
  assignLoadBalancerAddresses,
  tellIngressAddresses,
  tellGatewayStatus,
]

/**
 * Objects to a cluster at rest: nodes made, Services given their addresses, pods placed and running, EndpointSlices
 * written. Throws InputError with everything that cannot be had, in the words of the API server or the scheduler.
 */
export function buildCluster(objects: readonly LocatedObject[], options: ClusterOptions): Cluster {
  const ofKind = (kind: string): LocatedObject[] => objects.filter((located) => located.object.kind === kind)
  // Reading made each object the type of its kind.
  const typed = <Kind extends KubeObject>(kind: Kind['kind']): Kind[] =>
    ofKind(kind).map((located) => located.object as Kind)

  const { nodes, problems: nodeProblems } = buildNodes(ofKind('Node'), options)
  const { services, problems: serviceProblems } = allocateServices(ofKind('Service'), options)
  refuse([...duplicateProblems(objects), ...nodeProblems, ...serviceProblems, ...portClashes(objects)])
  refuse(limitProblems(objects, nodes))

  const cluster = reconcile(
    {
      ...(options.loadBalancer === undefined ? {} : { loadBalancer: options.loadBalancer }),
      ...(options.ingressControllers === undefined ? {} : { ingressControllers: options.ingressControllers }),
      nodes,
      namespaces: withUsedNamespaces(typed<Namespace>('Namespace'), objects),
      deployments: typed<Deployment>('Deployment'),
      replicaSets: typed<ReplicaSet>('ReplicaSet'),
      pods: typed<Pod>('Pod'),
      statefulSets: typed<StatefulSet>('StatefulSet'),
      daemonSets: typed<DaemonSet>('DaemonSet'),
      configMaps: typed<ConfigMap>('ConfigMap'),
      secrets: typed<Secret>('Secret'),
      ingressClasses: typed<IngressClass>('IngressClass'),
      ingresses: typed<Ingress>('Ingress').map((ingress) =>
        withDefaultClass(ingress, typed<IngressClass>('IngressClass')),
      ),
      gatewayClasses: typed<GatewayClass>('GatewayClass'),
      gateways: typed<Gateway>('Gateway'),
      httpRoutes: typed<HTTPRoute>('HTTPRoute'),
      grpcRoutes: typed<GRPCRoute>('GRPCRoute'),
      tlsRoutes: typed<TLSRoute>('TLSRoute'),
      referenceGrants: typed<ReferenceGrant>('ReferenceGrant'),
      applied: appliedByKey(objects),
      services,
      endpointSlices: typed<EndpointSlice>('EndpointSlice'),
    },
    controllers,
  )
  refuse(placementProblems(cluster, objects))
  return cluster
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InputError(problems)
}

// A real cluster wants a namespace to be made first; a lab about Services has better lessons than that.
function withUsedNamespaces(declared: readonly Namespace[], objects: readonly LocatedObject[]): Namespace[] {
  const names = new Set(['default', ...objects.flatMap(({ object }) => object.metadata.namespace ?? [])])
  for (const namespace of declared) names.delete(namespace.metadata.name)
  const made = [...names].map((name): Namespace => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }))
  return [...declared, ...made]
}
