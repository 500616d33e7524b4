import type { Cluster, KubeObject, ObjectLists } from '../types.js'
import { configMap } from './configMap.js'
import { daemonSet } from './daemonSet.js'
import { deployment } from './deployment.js'
import { endpointSlice } from './endpointSlice.js'
import { coreEvent, event } from './event.js'
import { gateway } from './gateway.js'
import { gatewayClass } from './gatewayClass.js'
import { grpcRoute } from './grpcRoute.js'
import { httpRoute } from './httpRoute.js'
import { ingress } from './ingress.js'
import { ingressClass } from './ingressClass.js'
import { ipAddress } from './ipAddress.js'
import { apiVersionOf, type Kind, type Resource } from './kind.js'
import { namespace } from './namespace.js'
import { node } from './node.js'
import { pod } from './pod.js'
import { podDisruptionBudget } from './podDisruptionBudget.js'
import { referenceGrant } from './referenceGrant.js'
import { replicaSet } from './replicaSet.js'
import { secret } from './secret.js'
import { service } from './service.js'
import { serviceCidr } from './serviceCidr.js'
import { statefulSet } from './statefulSet.js'
import { tlsRoute } from './tlsRoute.js'

/** Everything that is served, in the order of discovery. */
export const resources: readonly (Resource | Kind)[] = [
  ...[configMap, coreEvent, namespace, node, pod, secret, service],
  ...[daemonSet, deployment, replicaSet, statefulSet],
  event,
  ...[ingressClass, ingress, ipAddress, serviceCidr],
  podDisruptionBudget,
  endpointSlice,
  ...[gatewayClass, gateway, httpRoute, grpcRoute, tlsRoute, referenceGrant],
]

/** The kinds that a cluster holds; of the others the API makes the objects. */
export const kinds: readonly Kind[] = resources.filter((one): one is Kind => 'schema' in one)

/** What is known of a kind; throws for one that a cluster does not hold. */
export function kindOf(name: string): Kind {
  const found = kinds.find(({ kind }) => kind === name)
  if (found === undefined) throw new Error(`a cluster holds no ${name}`)
  return found
}

/** The API versions in which manifests may write a kind; none for one that a cluster does not hold. */
export function apiVersionsOf(name: string): string[] {
  const found = kinds.find(({ kind }) => kind === name)
  return found?.versions.map((version) => apiVersionOf({ ...found, version })) ?? []
}

/** The kind that a word means, as kubectl takes it (`deploy`, `svc`, `pods`); undefined for one that there is not. */
export function kindNamed(word: string): string | undefined {
  return resourceAmong(kinds, word)?.kind
}

/** The resource that a word means: plural or singular, with its group behind it or without, or a short name. */
export function resourceAmong<Of extends Resource>(among: readonly Of[], word: string): Of | undefined {
  const lower = word.toLowerCase()
  return among.find(
    ({ group, plural, singular, shortNames }) =>
      [plural, singular].some((name) => [name, `${name}.${group}`].includes(lower)) ||
      shortNames.includes(lower),
  )
}

/** A kind as kubectl names it in its answers: `deployment.apps`. */
export function singularOf(kind: string): string {
  const { singular, group } = kindOf(kind)
  return group === '' ? singular : `${singular}.${group}`
}

/** A kind as the API server names it in its messages: `deployments.apps`. */
export function pluralOf(kind: string): string {
  const { plural, group } = kindOf(kind)
  return group === '' ? plural : `${plural}.${group}`
}

/** `deployment.apps/web`, as kubectl names an object in its answers. */
export function saidName({ kind, metadata }: KubeObject): string {
  return `${singularOf(kind)}/${metadata.name}`
}

/** The objects of a kind in a snapshot. */
export function objectsOf(cluster: Partial<ObjectLists>, kind: string): readonly KubeObject[] {
  return cluster[kindOf(kind).list] ?? []
}

/** The snapshot with other objects of a kind. */
export function withObjects(cluster: Cluster, kind: string, objects: readonly KubeObject[]): Cluster {
  return { ...cluster, [kindOf(kind).list]: objects }
}

/** Objects by the lists of a snapshot. Reading made each object the type of its kind. */
export function objectLists(objects: readonly KubeObject[]): ObjectLists {
  const ofKind = (name: string): readonly KubeObject[] => objects.filter(({ kind }) => kind === name)
  const lists = Object.fromEntries(kinds.map(({ kind, list }) => [list, ofKind(kind)] as const))
  return lists as unknown as ObjectLists
}
