import { endPods, isEnding } from '../pods/endPods.js'
import { generatedName } from '../hash.js'
import { templateHash } from '../templateHash/templateHash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, withControllers } from '../owners.js'
import { matchesSelector } from '../selectors.js'
import { isReady } from '../pods/podFacts.js'
import { isRecord } from '../manifests/loose.js'
import { isAvailable } from '../pods/availability.js'
import { templateGenerationKey } from '../defaults/workload.js'
import type { Cluster, DaemonSet, Node, Pod, PodTemplate, Toleration } from '../types.js'
import { emptyLoad, whyNot } from './nodeFit.js'
import { podOf, usedPodKeys } from './podTemplate.js'
import { share } from './sizes.js'

const revisionLabel = 'controller-revision-hash'

/** Taints that its pods tolerate, besides those that the template names (AddOrUpdateDaemonPodTolerations). */
const tolerated = {
  NoExecute: ['not-ready', 'unreachable'],
  NoSchedule: ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'],
}

/** DaemonSet controller: a pod on each eligible node; a changed template replaces pods a few at a time. */
export function reconcileDaemonSets(before: Cluster): Cluster {
  const cluster = withCurrentOwners(before)
  const sets = cluster.daemonSets ?? []
  const owned = byController(cluster.pods)
  const used = usedPodKeys(cluster)
  const toDelete = new Set<Pod>()
  const added: Pod[] = []
  for (const set of sets) {
    if (isEnding(set)) continue
    const pods = (owned.get(objectKey(set)) ?? []).filter((pod) => !isEnding(pod))
    const eligible = cluster.nodes.filter((node) => takes(node, set))
    const keeping = cluster.nodes.filter((node) => takes(node, set, [anyNoSchedule]))
    const names = new Set(keeping.map(({ metadata }) => metadata.name))
    for (const pod of pods) if (!names.has(pod.spec.nodeName ?? '')) toDelete.add(pod)
    const bare = eligible.filter(({ metadata }) => !pods.some(({ spec }) => spec.nodeName === metadata.name))
    added.push(...bare.map((node) => makePod(set, node, used)))
    if (cluster.now !== undefined && bare.length === 0)
      for (const pod of outdated(set, pods, eligible.length, cluster)) toDelete.add(pod)
  }
  const ended = endPods(cluster, toDelete)
  return added.length === 0 ? ended : { ...ended, pods: [...ended.pods, ...added] }
}

function withCurrentOwners(cluster: Cluster): Cluster {
  if (cluster.now === undefined) return cluster
  const pods = withControllers(cluster.pods, cluster.daemonSets ?? [], (set, { metadata }) =>
    matchesSelector(set.spec.selector, metadata.labels),
  )
  return pods === cluster.pods ? cluster : { ...cluster, pods: [...pods] }
}

/** A pod that runs stays on a node whose taints only keep new pods away. */
const anyNoSchedule: Toleration = { operator: 'Exists', effect: 'NoSchedule' }

function takes(node: Node, set: DaemonSet, more: readonly Toleration[] = []): boolean {
  return whyNot(podOf(set, withTolerations(set, more), ''), emptyLoad(node)) === undefined
}

function withTolerations({ spec: { template } }: DaemonSet, more: readonly Toleration[] = []): PodTemplate {
  const own = (template.spec['tolerations'] ?? []) as readonly Toleration[]
  const network = template.spec.hostNetwork === true ? ['network-unavailable'] : []
  const added = Object.entries({ ...tolerated, NoSchedule: [...tolerated.NoSchedule, ...network] }).flatMap(
    ([effect, names]) =>
      names.map((name): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect })),
  )
  return { ...template, spec: { ...template.spec, tolerations: [...own, ...added, ...more] } }
}

/** The affinity of a pod for its node (ReplaceDaemonSetPodNodeNameNodeAffinity). */
function affinityFor(node: Node, written: unknown): object {
  const affinity = isRecord(written) ? written : {}
  const nodeAffinity = isRecord(affinity['nodeAffinity']) ? affinity['nodeAffinity'] : {}
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node.metadata.name] }]
  const required = { nodeSelectorTerms: [{ matchFields }] }
  return {
    ...affinity,
    nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
  }
}

/** As many pods of older templates as may be unavailable now. */
function outdated(set: DaemonSet, pods: readonly Pod[], nodes: number, cluster: Cluster): Pod[] {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {}
  if (type === 'OnDelete') return []
  const most = Math.max(1, share(rollingUpdate?.maxUnavailable ?? 1, nodes, Math.ceil))
  const current = templateHash(set.spec.template)
  const unavailable = pods.filter((pod) => !isAvailable(pod, set.spec, cluster)).length
  return pods
    .filter((pod) => pod.metadata.labels?.[revisionLabel] !== current)
    .sort((a, b) => Number(isReady(a)) - Number(isReady(b)))
    .slice(0, Math.max(0, most - unavailable))
}

function makePod(set: DaemonSet, node: Node, used: Set<string>): Pod {
  const { namespace = 'default', name } = set.metadata
  for (let attempt = 0; ; attempt++) {
    const podName = generatedName(name, `${namespace}/${name}/${node.metadata.name}/${attempt}`)
    const key = `Pod/${namespace}/${podName}`
    if (used.has(key)) continue
    used.add(key)
    const generation = set.metadata.annotations?.[templateGenerationKey]
    const labels = {
      [revisionLabel]: templateHash(set.spec.template),
      ...(generation === undefined ? {} : { 'pod-template-generation': generation }),
    }
    const pod = podOf(set, withTolerations(set), podName, { labels })
    const affinity = affinityFor(node, pod.spec['affinity'])
    return { ...pod, spec: { ...pod.spec, nodeName: node.metadata.name, affinity } }
  }
}
