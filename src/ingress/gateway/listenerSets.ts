import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesSelector } from '../../cluster/selectors.js'
import type { FromNamespaces, Gateway, ListenerSet, ParentReference } from '../../cluster/types/gateway.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'

/** The group of the Gateway API. */
const group = 'gateway.networking.k8s.io'

/** Whether a reference of an object names a Gateway or a ListenerSet. */
export function namesParent(ref: ParentReference, by: KubeObject, parent: Gateway | ListenerSet): boolean {
  const { kind = 'Gateway', namespace = by.metadata.namespace ?? 'default', name } = ref
  return (
    (ref.group ?? group) === group &&
    kind === parent.kind &&
    namespacedName(parent) === `${namespace}/${name}`
  )
}

/** The ListenerSets that name a Gateway as their parent, by precedence: by age, then by namespace and name. */
export function listenerSetsOf({ listenerSets = [] }: Cluster, gateway: Gateway): ListenerSet[] {
  return listenerSets.filter((one) => namesParent(one.spec.parentRef, one, gateway)).sort(oldestFirst)
}

/** Whether `spec.allowedListeners` of a Gateway, by default None, allows a ListenerSet. */
export function allowsListenerSet(cluster: Cluster, gateway: Gateway, set: ListenerSet): boolean {
  return selectsNamespace(
    cluster,
    gateway,
    { from: 'None', ...gateway.spec.allowedListeners?.namespaces },
    set,
  )
}

/** Whether the namespace of an object is one of those that an owner selects; by default its own. */
export function selectsNamespace(
  cluster: Cluster,
  owner: KubeObject,
  { from = 'Same', selector }: FromNamespaces,
  { metadata }: KubeObject,
): boolean {
  const namespace = metadata.namespace ?? 'default'
  if (from === 'None') return false
  if (from === 'All') return true
  if (from === 'Same') return namespace === (owner.metadata.namespace ?? 'default')
  const labels = cluster.namespaces.find((one) => one.metadata.name === namespace)?.metadata.labels
  return (
    selector !== undefined &&
    matchesSelector(selector, { 'kubernetes.io/metadata.name': namespace, ...labels })
  )
}

/** Sorts by age, then by namespace and name. */
export function oldestFirst(a: KubeObject, b: KubeObject): number {
  const made = ({ metadata }: KubeObject) => Date.parse(metadata.creationTimestamp ?? '') || 0
  return (
    made(a) - made(b) ||
    (namespacedName(a) < namespacedName(b) ? -1 : Number(namespacedName(a) > namespacedName(b)))
  )
}
