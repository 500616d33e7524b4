import type { Cluster, KubeObject, ObjectLists } from '../types.js'
import { clusterNetworkPolicy } from './clusterNetworkPolicy.js'
import { configMap } from './configMap.js'
import { controllerRevision } from './controllerRevision.js'
import { cronJob } from './cronJob.js'
import { daemonSet } from './daemonSet.js'
import { deployment } from './deployment.js'
import { endpoints } from './endpoints.js'
import { endpointSlice } from './endpointSlice.js'
import { coreEvent, event } from './event.js'
import { gateway } from './gateway/gateway.js'
import { gatewayClass } from './gateway/gatewayClass.js'
import { grpcRoute } from './gateway/grpcRoute.js'
import { httpRoute } from './gateway/httpRoute.js'
import { ingress } from './ingress.js'
import { ingressClass } from './ingressClass.js'
import { ipAddress } from './ipAddress.js'
import { job } from './job.js'
import { apiVersionOf, type Kind, type Resource } from './kind.js'
import { namespace } from './namespace.js'
import { listenerSet } from './gateway/listenerSet.js'
import { networkPolicy } from './networkPolicy.js'
import { node } from './node.js'
import { pod } from './pod.js'
import { podDisruptionBudget } from './podDisruptionBudget.js'
import { priorityClass } from './priorityClass.js'
import { referenceGrant } from './gateway/referenceGrant.js'
import { replicationController } from './replicationController.js'
import { replicaSet } from './replicaSet.js'
import { selfSubjectAccessReview, selfSubjectReview, selfSubjectRulesReview } from './review.js'
import { secret } from './secret.js'
import { service } from './service.js'
import { serviceCidr } from './serviceCidr.js'
import { lease, serviceAccount } from './shown.js'
import { statefulSet } from './statefulSet.js'
import { tlsRoute } from './gateway/tlsRoute.js'

/** All served resources, in the order of discovery. */
export const resources: readonly (Resource | Kind)[] = [
  ...[
    configMap,
    endpoints,
    coreEvent,
    namespace,
    node,
    pod,
    replicationController,
    secret,
    serviceAccount,
    service,
  ],
  ...[controllerRevision, daemonSet, deployment, replicaSet, statefulSet],
  ...[cronJob, job],
  event,
  ...[selfSubjectReview, selfSubjectAccessReview, selfSubjectRulesReview],
  ...[ingressClass, ingress, ipAddress, networkPolicy, serviceCidr],
  podDisruptionBudget,
  clusterNetworkPolicy,
  priorityClass,
  lease,
  endpointSlice,
  ...[gatewayClass, gateway, listenerSet, httpRoute, grpcRoute, tlsRoute, referenceGrant],
]

/** The kinds that a cluster stores; the API creates the objects of the others. */
export const kinds: readonly Kind[] = resources.filter((one): one is Kind => 'schema' in one)

/** The declaration of a kind; throws for one that a cluster does not store. */
export function kindOf(name: string): Kind {
  const found = kinds.find(({ kind }) => kind === name)
  if (found === undefined) throw new Error(`a cluster holds no ${name}`)
  return found
}

/** The API versions in which manifests may write a kind; none for one that a cluster does not store. */
export function apiVersionsOf(name: string): string[] {
  const found = kinds.find(({ kind }) => kind === name)
  return found?.versions.map((version) => apiVersionOf({ ...found, version })) ?? []
}

/**
 * The kind that a name means, in the forms that kubectl accepts (`deploy`, `svc`, `pods`); undefined when there is
 * none.
 */
export function kindNamed(word: string): string | undefined {
  return resourceAmong(kinds, word)?.kind
}

/** The resource that a name means: plural or singular, optionally with its group, or a short name. */
export function resourceAmong<Of extends Resource>(among: readonly Of[], word: string): Of | undefined {
  const lower = word.toLowerCase()
  return among.find(
    ({ group, plural, singular, shortNames }) =>
      [plural, singular].some((name) => [name, `${name}.${group}`].includes(lower)) ||
      shortNames.includes(lower),
  )
}

/** A kind in the output of kubectl: `deployment.apps`. */
export function singularOf(kind: string): string {
  const { singular, group } = kindOf(kind)
  return group === '' ? singular : `${singular}.${group}`
}

/** A kind in messages of the API server: `deployments.apps`. */
export function pluralOf(kind: string): string {
  const { plural, group } = kindOf(kind)
  return group === '' ? plural : `${plural}.${group}`
}

/** An object in the output of kubectl: `deployment.apps/web`. */
export function printedName({ kind, metadata }: KubeObject): string {
  return `${singularOf(kind)}/${metadata.name}`
}

/** The objects of a kind in a snapshot. */
export function objectsOf(cluster: Partial<ObjectLists>, kind: string): readonly KubeObject[] {
  return cluster[kindOf(kind).list] ?? []
}

/** The snapshot with the objects of a kind replaced. */
export function withObjects(cluster: Cluster, kind: string, objects: readonly KubeObject[]): Cluster {
  return { ...cluster, [kindOf(kind).list]: objects }
}

/** Objects by the lists of a snapshot; parsing has given each the type of its kind. */
export function objectLists(objects: readonly KubeObject[]): ObjectLists {
  const ofKind = (name: string): readonly KubeObject[] => objects.filter(({ kind }) => kind === name)
  const lists = Object.fromEntries(kinds.map(({ kind, list }) => [list, ofKind(kind)] as const))
  return lists as unknown as ObjectLists
}
