import { endPods, isEnding } from '../pods/endPods.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, withControllers } from '../owners.js'
import { isAvailable } from '../pods/availability.js'
import { matchesSelector } from '../selectors.js'
import type { Cluster, Pod, PodTemplate, StatefulSet } from '../types.js'
import { podOf } from './podTemplate.js'
import { currentRevision, revisionLabel, revisionOf, updateRevision } from './setRevisions.js'

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
  const next = sets.map((before) => {
    if (isEnding(before)) return before
    const pods = owned.get(objectKey(before)) ?? []
    const set = withCurrentRevision(before, pods, cluster)
    const step = nextStep(set, pods, cluster, names)
    for (const pod of step.toDelete) toDelete.add(pod)
    added.push(...step.added)
    return set
  })
  const ended = endPods(cluster, toDelete)
  const isSame = next.every((set, index) => set === sets[index])
  const stepped = isSame ? ended : { ...ended, statefulSets: next }
  return added.length === 0 ? stepped : { ...stepped, pods: [...stepped.pods, ...added] }
}

/** The set with the revision of its last complete rollout (completeRollingUpdate); OnDelete completes none. */
function withCurrentRevision(set: StatefulSet, owned: readonly Pod[], cluster: Cluster): StatefulSet {
  if (cluster.now === undefined) return set
  const update = updateRevision(set)
  const { replicas = 1, updateStrategy = {} } = set.spec
  const isReady = (pod: Pod) => isAvailable(pod, {}, cluster) && revisionOf(pod) === update
  const isComplete = owned.length === replicas && owned.every(isReady) && updateStrategy.type !== 'OnDelete'
  const revision = isComplete ? update : currentRevision(set, owned)
  return set.status?.currentRevision === revision
    ? set
    : { ...set, status: { ...set.status, currentRevision: revision } }
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
  const made = (name: string) => makePod(templated(set, ordinalOf(name), owned, cluster), name)
  const missing = wanted.filter((name) => !byName.has(name) && isFree(name))
  if (cluster.now === undefined || set.spec.podManagementPolicy === 'Parallel') {
    const added = missing.map(made)
    const toDelete = surplus.filter((pod) => !isEnding(pod))
    return added.length + toDelete.length > 0
      ? { added, toDelete }
      : { added, toDelete: outdated(set, owned, wanted, cluster) }
  }
  // one at a time: a pod that is not ready blocks all later ones
  for (const name of wanted) {
    const pod = byName.get(name)
    if (pod === undefined) return { added: isFree(name) ? [made(name)] : [], toDelete: [] }
    if (!isAvailable(pod, set.spec, cluster)) return { added: [], toDelete: [] }
  }
  const [top] = surplus
  if (top !== undefined) {
    // an unavailable pod waits for those below it
    const lowest = surplus.findLast((pod) => !isAvailable(pod, set.spec, cluster))
    const waits = isEnding(top) || (lowest !== top && !isAvailable(top, set.spec, cluster))
    return { added: [], toDelete: waits ? [] : [top] }
  }
  return { added: [], toDelete: outdated(set, owned, wanted, cluster) }
}

/** The highest pod of an older template, down to the partition; a live rollout waits for each pod above it. */
function outdated(
  set: StatefulSet,
  owned: readonly Pod[],
  wanted: readonly string[],
  cluster: Cluster,
): readonly Pod[] {
  if (set.spec.updateStrategy?.type === 'OnDelete') return []
  const from = firstUpdated(set)
  const pods = owned.filter(({ metadata }) => wanted.includes(metadata.name)).sort(topFirst)
  const reached = pods.filter((pod) => ordinal(pod) >= from)
  if (cluster.now === undefined) return reached.filter((pod) => isOutdated(set, pod))
  const first = reached.find((pod) => isOutdated(set, pod) || !isAvailable(pod, set.spec, cluster))
  return first === undefined || isEnding(first) || !isOutdated(set, first) ? [] : [first]
}

/** The ordinal from which pods have the new template. */
function firstUpdated({ spec }: StatefulSet): number {
  return (spec.ordinals?.start ?? 0) + (spec.updateStrategy?.rollingUpdate?.partition ?? 0)
}

function isOutdated(set: StatefulSet, pod: Pod): boolean {
  return revisionOf(pod) !== updateRevision(set)
}

/** The set with the template that a new pod gets: the current one below the partition (newVersionedStatefulSetPod). */
function templated(set: StatefulSet, number: number, owned: readonly Pod[], cluster: Cluster): StatefulSet {
  if (number >= firstUpdated(set)) return set
  const name = currentRevision(set, owned)
  const revision = (cluster.controllerRevisions ?? []).find(
    ({ metadata }) => metadata.name === name && metadata.namespace === set.metadata.namespace,
  )
  const { spec } = (revision?.data ?? {}) as { spec?: { template: PodTemplate & { $patch?: string } } }
  if (spec === undefined) return set
  const { $patch: _patch, ...template } = spec.template
  return { ...set, spec: { ...set.spec, template } }
}

function makePod(set: StatefulSet, name: string): Pod {
  const { template, serviceName } = set.spec
  const pod = podOf(set, template, name, {
    labels: {
      'apps.kubernetes.io/pod-index': name.slice(set.metadata.name.length + 1),
      [revisionLabel]: updateRevision(set),
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

function topFirst(a: Pod, b: Pod): number {
  return ordinal(b) - ordinal(a)
}

function ordinal({ metadata }: Pod): number {
  return ordinalOf(metadata.name)
}

function ordinalOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1))
}
