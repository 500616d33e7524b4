import { InputError, type Problem } from '../errors.js'
import { defaultRanges, type AddressRanges } from '../net/addressRanges.js'
import { allocateServices } from './allocation/services.js'
import { appliedByKey } from './applied.js'
import { reconcileControllerRevisions } from './controllers/controllerRevisions.js'
import { reconcileDaemonSets } from './controllers/daemonSets.js'
import { reconcileDeployments } from './controllers/deployments.js'
import { reconcileEndpointSlices } from './controllers/endpointSlices.js'
import { collectGarbage } from './controllers/garbageCollector.js'
import { reconcileJobs, removeExpiredJobs } from './controllers/jobs/jobs.js'
import { assignLoadBalancerAddresses } from './controllers/loadBalancers.js'
import { mirrorEndpoints } from './controllers/mirroredSlices.js'
import { markRunning } from './controllers/markRunning.js'
import { assignPodAddresses } from './controllers/podAddresses.js'
import { reconcileReplicaSets } from './controllers/replicaSets.js'
import { schedulePods } from './controllers/scheduler.js'
import { reconcileServiceCidrs } from './controllers/serviceCidrs.js'
import { reconcileStatefulSets } from './controllers/statefulSets.js'
import { objectLists } from './kinds/index.js'
import { absentNamespace, lastingNamespaces, withNamespaces } from './kinds/namespace.js'
import { problemsOf } from './manifests/readObject.js'
import { dnsLabel } from './validation/formats.js'
import { duplicateProblems } from './manifests/duplicates.js'
import { storedForm } from './changes/storedForm.js'
import { withDefaultClass } from './ingressClass.js'
import type {
  IngressControllerRef,
  Commands,
  LoadBalancer,
  Reconciler,
  Cluster,
  ServiceCIDR,
} from './types.js'
import { limitProblems } from './limits.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import { buildNodes } from './nodes.js'
import { placementProblems } from './pods/placement.js'
import { portClashes } from './portClashes.js'
import { reconcile } from './reconcile.js'
import type { IpFamily } from '../net/ipFamily.js'

export interface ClusterOptions {
  /** The nodes of the lab's topology; without any, Node objects define the nodes. */
  readonly nodes: readonly {
    readonly name: string
    readonly zone?: string | undefined
    readonly labels: Readonly<Record<string, string>>
  }[]
  readonly ranges: AddressRanges
  /** The cluster's families, primary first. */
  readonly families: readonly IpFamily[]
  /** What runs instead of images; absent: every command is one that the host has. */
  readonly commands?: Commands | undefined
  /** Serves Services of type LoadBalancer; absent: they stay pending. */
  readonly loadBalancer?: LoadBalancer | undefined
  /** Serves Ingresses; absent: they are not served. */
  readonly ingressControllers?: readonly IngressControllerRef[] | undefined
}

/** The controllers of every cluster, in the order that needs the fewest rounds. */
export const controllers: readonly Reconciler[] = [
  collectGarbage,
  reconcileDeployments,
  reconcileReplicaSets,
  reconcileStatefulSets,
  reconcileDaemonSets,
  removeExpiredJobs,
  reconcileJobs,
  reconcileControllerRevisions,
  schedulePods,
  assignPodAddresses,
  markRunning,
  reconcileEndpointSlices,
  mirrorEndpoints,
  assignLoadBalancerAddresses,
  reconcileServiceCidrs,
  runIngressControllers,
]

/**
 * Builds a settled cluster from objects: nodes created, Services with addresses, pods scheduled and running,
 * EndpointSlices written. Throws InputError with all problems, in the messages of the API server or the scheduler.
 */
export function buildCluster(objects: readonly LocatedObject[], options: ClusterOptions): Cluster {
  const ofKind = (kind: string): LocatedObject[] => objects.filter((located) => located.object.kind === kind)

  const { nodes, problems: nodeProblems } = buildNodes(ofKind('Node'), options)
  const added = ofKind('ServiceCIDR').flatMap(({ object }) => (object as ServiceCIDR).spec.cidrs ?? [])
  const taken = ofKind('IPAddress').map(({ object }) => object.metadata.name)
  const { services, problems: serviceProblems } = allocateServices(ofKind('Service'), {
    ...options,
    added,
    taken,
  })
  throwOnProblems([
    ...duplicateProblems(objects),
    ...nodeProblems,
    ...serviceProblems,
    ...portClashes(objects),
    ...objects.flatMap(faultsOf),
  ])
  throwOnProblems(limitProblems(objects, nodes))

  const lists = objectLists(objects.map(({ object }) => storedForm(object)))
  const cluster = reconcile(
    {
      ...(options.commands === undefined ? {} : { commands: options.commands }),
      ...(options.loadBalancer === undefined ? {} : { loadBalancer: options.loadBalancer }),
      ...(options.ingressControllers === undefined ? {} : { ingressControllers: options.ingressControllers }),
      ...(options.ranges.services === defaultRanges.services
        ? {}
        : { serviceRanges: options.ranges.services }),
      ...lists,
      nodes,
      // A real cluster requires that namespaces exist; a lab creates those of its own manifests, so that plain manifests run.
      namespaces: withNamespaces(lists.namespaces, [
        ...lastingNamespaces,
        ...objects.flatMap(({ object }) => object.metadata.namespace ?? []),
      ]),
      ingresses: (lists.ingresses ?? []).map((one) => withDefaultClass(one, lists.ingressClasses ?? [])),
      applied: appliedByKey(objects),
      services: services.map(storedForm),
    },
    controllers,
  )
  throwOnProblems(placementProblems(cluster, objects))
  return cluster
}

/** The faults of an object, except those of Services, which are reported after their allocation. */
function faultsOf(located: LocatedObject): Problem[] {
  const { namespace } = located.object.metadata
  if (namespace !== undefined && dnsLabel(namespace).length > 0) return [absentNamespace(located)]
  return located.object.kind === 'Service' ? [] : problemsOf(located, located.faults ?? [])
}

function throwOnProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InputError(problems)
}

/** Runs the ingress controllers of a cluster. */
function runIngressControllers(cluster: Cluster): Cluster {
  const { ingressControllers = [] } = cluster
  return ingressControllers.reduce((snapshot, { reconcile }) => reconcile?.(snapshot) ?? snapshot, cluster)
}
