import { endPods, isEnding } from '../pods/endPods.js'
import { generatedName, templateHash } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, controllerKey } from '../owners.js'
import { isReady } from '../pods/podFacts.js'
import type { Cluster, DaemonSet, Node, Pod, Toleration } from '../types.js'
import { emptyLoad, whyNot } from './nodeFit.js'
import { podOf, usedPodKeys } from './podTemplate.js'
import { share } from './rollout.js'

const revisionLabel = 'controller-revision-hash'

/** Tolerations that the controller adds to those of the template (AddOrUpdateDaemonPodTolerations). */
const tolerations: readonly Toleration[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
].map((key) => ({ key, operator: 'Exists' }))

/** DaemonSet controller: a pod on each eligible node; a changed template replaces pods a few at a time. */
export function reconcileDaemonSets(cluster: Cluster): Cluster {
  const sets = cluster.daemonSets ?? []
  const owned = byController(cluster.pods)
  const live = new Set(sets.map(objectKey))
  const used = usedPodKeys(cluster)
  const toDelete = new Set(
    cluster.pods.filter((pod) => {
      const key = controllerKey(pod)
      return key !== undefined && key.startsWith('DaemonSet/') && !live.has(key)
    }),
  )
  const added: Pod[] = []
  for (const set of sets) {
    const pods = (owned.get(objectKey(set)) ?? []).filter((pod) => !isEnding(pod))
    const eligible = cluster.nodes.filter((node) => takes(node, set))
    const names = new Set(eligible.map(({ metadata }) => metadata.name))
    for (const pod of pods) if (!names.has(pod.spec.nodeName ?? '')) toDelete.add(pod)
    const bare = eligible.filter(({ metadata }) => !pods.some(({ spec }) => spec.nodeName === metadata.name))
    added.push(...bare.map((node) => makePod(set, node, used)))
    if (cluster.now !== undefined && bare.length === 0)
      for (const pod of outdated(set, pods, eligible.length)) toDelete.add(pod)
  }
  const ended = endPods(cluster, toDelete)
  return added.length === 0 ? ended : { ...ended, pods: [...ended.pods, ...added] }
}

function takes(node: Node, set: DaemonSet): boolean {
  return whyNot(template(set), emptyLoad(node)) === undefined
}

function template(set: DaemonSet): Pod {
  const { spec } = set.spec.template
  const own = (spec['tolerations'] ?? []) as readonly Toleration[]
  return podOf(set, { ...set.spec.template, spec: { ...spec, tolerations: [...own, ...tolerations] } }, '')
}

/** As many pods of older templates as may be unavailable now. */
function outdated(set: DaemonSet, pods: readonly Pod[], nodes: number): Pod[] {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {}
  if (type === 'OnDelete') return []
  const most = Math.max(1, share(rollingUpdate?.maxUnavailable ?? 1, nodes, Math.ceil))
  const unavailable = pods.filter((pod) => !isReady(pod)).length
  return pods
    .filter((pod) => pod.metadata.labels?.[revisionLabel] !== templateHash(set.spec.template))
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
    const pod = { ...template(set) }
    const labels = { ...pod.metadata.labels, [revisionLabel]: templateHash(set.spec.template) }
    return {
      ...pod,
      metadata: { ...pod.metadata, name: podName, labels },
      spec: { ...pod.spec, nodeName: node.metadata.name },
    }
  }
}
