import { endPods, isEnding } from '../pods/endPods.js'
import { generatedName } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, controllerKey, withControllers } from '../owners.js'
import { isReady, isTerminal } from '../pods/podFacts.js'
import { matchesSelector } from '../selectors.js'
import type { Cluster, LabelSelector, Pod, ReplicaSet, ReplicationController } from '../types.js'
import { podOf, usedPodKeys } from './podTemplate.js'

/** Both kinds have the same controller. */
type PodSet = ReplicaSet | ReplicationController

function podSets({ replicaSets = [], replicationControllers = [] }: Cluster): PodSet[] {
  return [...replicaSets, ...replicationControllers]
}

function selectorOf(set: PodSet): LabelSelector {
  return set.kind === 'ReplicaSet' ? set.spec.selector : { matchLabels: set.spec.selector ?? {} }
}

/**
 * ReplicaSet and ReplicationController: as many pods as `replicas`. Pods whose labels no longer match are released, orphans whose
 * labels match are adopted.
 */
export function reconcileReplicaSets(before: Cluster): Cluster {
  const cluster = withCurrentOwners(before)
  const sets = podSets(cluster)
  const owned = byController(cluster.pods)
  const toDelete = new Set<Pod>()
  const added: Pod[] = []
  const used = usedPodKeys(cluster)
  for (const set of sets) {
    // its pods stay until it is gone
    if (isEnding(set)) continue
    const pods = (owned.get(objectKey(set)) ?? []).filter(isActive)
    const replicas = set.spec.replicas ?? 1
    const surplus = pods.length - replicas
    if (surplus > 0) for (const pod of inDeletionOrder(pods).slice(0, surplus)) toDelete.add(pod)
    for (let count = pods.length; count < replicas; count++) added.push(makePod(set, used))
  }
  const ended = endPods(cluster, toDelete)
  return added.length === 0 ? ended : { ...ended, pods: [...ended.pods, ...added] }
}

/** A pod that is active: not terminating and not finished. */
function isActive(pod: Pod): boolean {
  return !isEnding(pod) && !isTerminal(pod)
}

/**
 * The order of deletion: the least active pods first, then those on crowded nodes, then the newest
 * (ActivePodsWithRanks).
 */
function inDeletionOrder(pods: readonly Pod[]): Pod[] {
  const onNode = new Map<string, number>()
  for (const { spec } of pods) onNode.set(spec.nodeName ?? '', (onNode.get(spec.nodeName ?? '') ?? 0) + 1)
  const phases = ['Pending', 'Unknown', 'Running']
  const rank = (pod: Pod, index: number): number[] => [
    (pod.spec.nodeName ?? '') === '' ? 0 : 1,
    phases.indexOf(pod.status?.phase ?? 'Pending'),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0),
    -(onNode.get(pod.spec.nodeName ?? '') ?? 0),
    // the cluster's list is in the order of creation
    -index,
  ]
  const ranks = new Map(pods.map((pod, index) => [pod, rank(pod, index)]))
  return [...pods].sort((a, b) => compare(ranks.get(a) ?? [], ranks.get(b) ?? []))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, position) => value !== b[position])
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

function withCurrentOwners(cluster: Cluster): Cluster {
  if (cluster.now === undefined) return cluster
  const pods = withControllers(
    cluster.pods,
    podSets(cluster),
    (set, pod) =>
      (isActive(pod) || controllerKey(pod) !== undefined) &&
      matchesSelector(selectorOf(set), pod.metadata.labels),
  )
  return pods === cluster.pods ? cluster : { ...cluster, pods: [...pods] }
}

// The nth free name of a set is always the same, so that the pods of a lab have the same names in every run.
function makePod(set: PodSet, used: Set<string>): Pod {
  const { namespace = 'default', name } = set.metadata
  for (let attempt = 0; ; attempt++) {
    const podName = generatedName(name, `${namespace}/${name}/${attempt}`)
    const key = `Pod/${namespace}/${podName}`
    if (used.has(key)) continue
    used.add(key)
    return podOf(set, set.spec.template, podName)
  }
}
