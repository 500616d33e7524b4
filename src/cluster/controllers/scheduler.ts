import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { isTerminal } from '../pods/podFacts.js'
import type { Cluster, Node, Pod } from '../types.js'
import { emptyLoad, place, whyNot, type NodeLoad } from './nodeFit.js'
import { preferredWeight } from './nodeAffinity.js'
import { hasPodRules, podRules, type PlacedPod } from './podAffinity.js'

/**
 * Scheduler: a pod without nodeName gets the node that its node affinity prefers most, then the one with the fewest pods
 * of its owner, then the fewest pods, then by name. A pod that fits on no node stays pending, with the reason in its PodScheduled condition.
 */
export function schedulePods(cluster: Cluster): Cluster {
  if (cluster.pods.every((pod) => isPlaced(pod) || isTerminal(pod))) return cluster
  const loads = cluster.nodes
    .map(emptyLoad)
    .sort((a, b) => (a.node.metadata.name < b.node.metadata.name ? -1 : 1))
  const byName = new Map(loads.map((load) => [load.node.metadata.name, load]))
  for (const pod of cluster.pods) {
    const load = byName.get(pod.spec.nodeName ?? '')
    if (load !== undefined && !isTerminal(pod)) place(pod, load, ownerOf(pod))
  }
  const withRules = cluster.pods.some(hasPodRules)
  const placed: PlacedPod[] = !withRules
    ? []
    : cluster.pods.flatMap((pod) => {
        const node = byName.get(pod.spec.nodeName ?? '')?.node
        return node === undefined || isTerminal(pod) ? [] : [{ pod, node }]
      })
  let changed = false
  const pods = cluster.pods.map((pod) => {
    if (isPlaced(pod) || isTerminal(pod)) return pod
    const apart = withRules ? podRules(pod, placed, cluster.namespaces ?? []) : undefined
    const next = schedule(pod, loads, apart)
    changed ||= next !== pod
    const node = byName.get(next.spec.nodeName ?? '')?.node
    if (withRules && node !== undefined) placed.push({ pod: next, node })
    return next
  })
  return changed ? { ...cluster, pods } : cluster
}

/** Why a pod has no node, in the words of the scheduler; undefined for a pod that has one. */
export function unschedulableReason(pod: Pod): string | undefined {
  return pod.status?.conditions?.find((item) => item.type === 'PodScheduled' && item.status === 'False')
    ?.message
}

function schedule(
  pod: Pod,
  loads: readonly NodeLoad[],
  apart: (node: Node) => string | undefined = () => undefined,
): Pod {
  const owner = ownerOf(pod)
  const reasons = new Map<string, number>()
  let best: NodeLoad | undefined
  for (const load of loads) {
    const reason = whyNot(pod, load) ?? apart(load.node)
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    else if (best === undefined || isBetter(pod, load, best)) best = load
  }
  if (best === undefined) return pending(pod, message(reasons, loads.length))
  place(pod, best, owner)
  const { status: _before, ...rest } = pod
  return { ...rest, spec: { ...pod.spec, nodeName: best.node.metadata.name } }
}

function isBetter(pod: Pod, load: NodeLoad, than: NodeLoad): boolean {
  const preferred = preferredWeight(pod.spec, load.node) - preferredWeight(pod.spec, than.node)
  if (preferred !== 0) return preferred > 0
  const owner = ownerOf(pod)
  const own = (load.podsByOwner.get(owner) ?? 0) - (than.podsByOwner.get(owner) ?? 0)
  return own !== 0 ? own < 0 : load.pods < than.pods
}

function pending(pod: Pod, text: string): Pod {
  if (unschedulableReason(pod) === text) return pod
  return {
    ...pod,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text }],
    },
  }
}

// The scheduler sorts its reasons as text, number first.
function message(reasons: ReadonlyMap<string, number>, nodes: number): string {
  const list = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort()
  return `0/${nodes} nodes are available: ${list.join(', ')}.`
}

function isPlaced(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== ''
}

// No early return for these: a pod that fits on no node is tried again whenever another pod changes.
function ownerOf(pod: Pod): string {
  return controllerKey(pod) ?? objectKey(pod)
}
