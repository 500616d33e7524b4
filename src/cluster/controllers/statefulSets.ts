import { endPods, isEnding } from '../pods/endPods.js'
import { templateHash } from '../templateHash.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, withControllers } from '../owners.js'
import { isAvailable } from '../pods/availability.js'
import { matchesSelector } from '../selectors.js'
import type { Cluster, Pod, StatefulSet } from '../types.js'
import { podOf } from './podTemplate.js'

const revisionLabel = 'controller-revision-hash'

/**
 * StatefulSet controller: pods `name-0`, `name-1`, … (or starting at ordinals.start), each with its name as hostname
 * in the governing Service. In a live cluster each is created when the one before is ready, and they are deleted from
 * the highest ordinal (OrderedReady), unless podManagementPolicy is Parallel; a changed template replaces them from
 * the highest ordinal.
 */
export function reconcileStatefulSets(before: Cluster): Cluster {
  const cluster = withAdopted(before)
  const sets = cluster.statefulSets ?? []
  const owned = byController(cluster.pods)
  const toDelete = new Set<Pod>()
  const added: Pod[] = []
  const names = new Set(cluster.pods.map(objectKey))
  for (const set of sets) {
    if (isEnding(set)) continue
    const step = nextStep(set, owned.get(objectKey(set)) ?? [], cluster, names)
    for (const pod of step.toDelete) toDelete.add(pod)
    added.push(...step.added)
  }
  const ended = endPods(cluster, toDelete)
  return added.length === 0 ? ended : { ...ended, pods: [...ended.pods, ...added] }
}

/** Pods with the name and the labels of a set's pod belong to it. */
function withAdopted(cluster: Cluster): Cluster {
  if (cluster.now === undefined) return cluster
  const pods = withControllers(
    cluster.pods,
    cluster.statefulSets ?? [],
    (set, { metadata }) =>
      metadata.name.replace(/-\d+$/, '') === set.metadata.name &&
      matchesSelector(set.spec.selector, metadata.labels),
  )
  return pods === cluster.pods ? cluster : { ...cluster, pods: [...pods] }
}

interface Step {
  readonly added: readonly Pod[]
  readonly toDelete: readonly Pod[]
}

function nextStep(
  set: StatefulSet,
  owned: readonly Pod[],
  cluster: Cluster,
  names: ReadonlySet<string>,
): Step {
  const { replicas = 1, ordinals: { start = 0 } = {} } = set.spec
  const byName = new Map(owned.map((pod) => [pod.metadata.name, pod]))
  const wanted = Array.from({ length: replicas }, (_, index) => `${set.metadata.name}-${start + index}`)
  const surplus = owned.filter(({ metadata }) => !wanted.includes(metadata.name)).sort(topFirst)
  // a pod of another owner with that name is in the way: it is not created until that one is deleted
  const isFree = (name: string) => !names.has(objectKey(makePod(set, name)))
  const missing = wanted.filter((name) => !byName.has(name) && isFree(name))
  if (cluster.now === undefined || set.spec.podManagementPolicy === 'Parallel') {
    const added = missing.map((name) => makePod(set, name))
    const toDelete = surplus.filter((pod) => !isEnding(pod))
    return added.length + toDelete.length > 0
      ? { added, toDelete }
      : { added, toDelete: outdated(set, owned, wanted) }
  }
  // one at a time: a pod that is not ready blocks all later ones
  for (const name of wanted) {
    const pod = byName.get(name)
    if (pod === undefined) return { added: isFree(name) ? [makePod(set, name)] : [], toDelete: [] }
    if (!isAvailable(pod, set.spec, cluster)) return { added: [], toDelete: [] }
  }
  const [top] = surplus
  if (top !== undefined) return { added: [], toDelete: isEnding(top) ? [] : [top] }
  return { added: [], toDelete: outdated(set, owned, wanted).slice(0, 1) }
}

/** Pods of an older template, from the highest ordinal down to the partition. */
function outdated(set: StatefulSet, owned: readonly Pod[], wanted: readonly string[]): Pod[] {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {}
  if (type === 'OnDelete' || owned.some(isEnding)) return []
  const from = rollingUpdate?.partition ?? 0
  return owned
    .filter((pod) => wanted.includes(pod.metadata.name) && ordinal(pod) >= from && isOutdated(set, pod))
    .sort(topFirst)
}

function isOutdated(set: StatefulSet, pod: Pod): boolean {
  return pod.metadata.labels?.[revisionLabel] !== revisionOf(set)
}

function makePod(set: StatefulSet, name: string): Pod {
  const { template, serviceName } = set.spec
  const pod = podOf(set, template, name, {
    labels: {
      'apps.kubernetes.io/pod-index': name.slice(set.metadata.name.length + 1),
      [revisionLabel]: revisionOf(set),
      'statefulset.kubernetes.io/pod-name': name,
    },
  })
  const subdomain = serviceName === undefined || serviceName === '' ? {} : { subdomain: serviceName }
  const claims = claimsOf(set, name)
  const own = records(pod.spec['volumes']).filter(
    (volume) => !claims.some((claim) => claim.name === volume['name']),
  )
  const volumes = claims.length === 0 ? {} : { volumes: [...own, ...claims] }
  return { ...pod, spec: { ...pod.spec, hostname: name, ...subdomain, ...volumes } }
}

/** A volume for each claim template; the claim is named after the pod, so that the next pod of that name reuses it. */
function claimsOf(
  { spec }: StatefulSet,
  podName: string,
): { name: string; persistentVolumeClaim: unknown }[] {
  return records(spec['volumeClaimTemplates']).flatMap(({ metadata }) => {
    const name = isRecord(metadata) ? text(metadata['name']) : ''
    return name === '' ? [] : [{ name, persistentVolumeClaim: { claimName: `${name}-${podName}` } }]
  })
}

function revisionOf(set: StatefulSet): string {
  return `${set.metadata.name}-${templateHash(set.spec.template)}`
}

function topFirst(a: Pod, b: Pod): number {
  return ordinal(b) - ordinal(a)
}

function ordinal({ metadata }: Pod): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1))
}
