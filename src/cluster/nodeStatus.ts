import { podReady } from './pods/podStatus.js'
import type { Cluster, Node } from './types.js'

const unreachable = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }

/**
 * Sets whether a node is reachable: its Ready condition, the taint that keeps new pods away, and its pods, which are
 * not ready while it is unreachable (node lifecycle controller). A real cluster evicts them after five minutes; here
 * they stay.
 */
export function nodeReady(cluster: Cluster, name: string, ready: boolean): Cluster {
  const node = cluster.nodes.find(({ metadata }) => metadata.name === name)
  if (node === undefined || isNodeReady(node) === ready) return cluster
  const nodes = cluster.nodes.map((one) => (one === node ? reported(node, ready) : one))
  const noted = { ...cluster, nodes }
  if (ready) return noted
  return cluster.pods
    .filter(({ spec }) => spec.nodeName === name)
    .reduce<Cluster>((next, { metadata }) => podReady(next, metadata, false), noted)
}

/** A node without a Ready condition is ready. */
export function isNodeReady(node: Node): boolean {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'Unknown'
}

function reported(node: Node, ready: boolean): Node {
  const others = (node.status?.conditions ?? []).filter(({ type }) => type !== 'Ready')
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== unreachable.key)
  const condition = ready
    ? { type: 'Ready', status: 'True' as const, reason: 'KubeletReady' }
    : {
        type: 'Ready',
        status: 'Unknown' as const,
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      }
  return {
    ...node,
    spec: { ...node.spec, taints: ready ? taints : [...taints, unreachable] },
    status: { ...node.status, conditions: [...others, condition] },
  }
}
