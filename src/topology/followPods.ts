import { namespacedName } from '../cluster/namespacedName.js'
import { isEnding } from '../cluster/pods/endPods.js'
import type { Cluster, Pod } from '../cluster/types.js'
import type { PodPlace, Topology, Place } from './types.js'
import { hostNetworkPlace, interfaceIndex, layOutPod } from './layOut.js'

/** An updated topology, and the pods' places that were added and removed. */
export interface FollowedPods {
  readonly topology: Topology
  readonly added: readonly Place[]
  readonly removed: readonly Place[]
}

/**
 * Gives new pods of a running lab their places; existing ones keep their names and indexes. The interfaces of a
 * node are updated in place: its capture keeps the same map, and an index is never reused. A pod of a
 * StatefulSet keeps its name: if the previous one was terminating and this one is not, it is a new pod.
 */
export function followPods(before: Topology, cluster: Cluster, last: Pick<Cluster, 'pods'>): FollowedPods {
  const ending = new Set(last.pods.filter(isEnding).map(namespacedName))
  const existing = new Map(before.places.filter(isPod).map((place) => [placeKey(place), place]))
  const wanted = new Set<string>()
  const replaced = new Set<string>()
  const added: Place[] = []
  for (const pod of cluster.pods) {
    if ((pod.status?.podIPs ?? []).length === 0) continue
    const key = namespacedName(pod)
    wanted.add(key)
    if (ending.has(key) && !isEnding(pod)) replaced.add(key)
    if (!existing.has(key) || replaced.has(key)) added.push(newPlace(pod, before, added))
  }
  const removed = [...existing]
    .filter(([key]) => !wanted.has(key) || replaced.has(key))
    .map(([, place]) => place)
  if (added.length === 0 && removed.length === 0) return { topology: before, added, removed }
  const stays = (place: Place) => !removed.includes(place)
  return {
    topology: {
      ...before,
      pods: [...before.pods.filter(stays), ...added.filter(hasVeth)],
      places: [...before.places.filter(stays), ...added],
    },
    added,
    removed,
  }
}

/** The key of the pod whose place this is. */
export function placeKey({ namespace = 'default', name }: Place): string {
  return `${namespace}/${name}`
}

/** Whether a place is a pod with its own network. */
export function hasVeth(place: Place): place is PodPlace {
  return 'veth' in place
}

function newPlace(pod: Pod, { nodes, places, families }: Topology, added: readonly Place[]): Place {
  const { nodeName = '' } = pod.spec
  if (pod.spec.hostNetwork === true) return hostNetworkPlace(pod, nodeName)
  const interfaces = nodes.find(({ name }) => name === nodeName)?.interfaces as Map<number, string>
  const index = Math.max(interfaceIndex.firstPodVeth - 1, ...interfaces.keys()) + 1
  const taken = [...places, ...added].some(({ netns }) => netns === pod.metadata.name)
  const netns = taken ? `${pod.metadata.namespace ?? 'default'}_${pod.metadata.name}` : pod.metadata.name
  const place = layOutPod(pod, nodeName, netns, index, families)
  interfaces.set(index, place.veth)
  return place
}

function isPod({ kind }: Place): boolean {
  return kind === 'pod'
}

/** The pods whose places are among these. */
export function podPlaces(cluster: Cluster, places: readonly Place[]): { pod: Pod; place: Place }[] {
  const byKey = new Map(places.filter(({ kind }) => kind === 'pod').map((place) => [placeKey(place), place]))
  return cluster.pods.flatMap((pod) => {
    const place = byKey.get(namespacedName(pod))
    return place === undefined ? [] : [{ pod, place }]
  })
}
