import { parseRange, rangeSize } from '../../net/ranges.js'
import { clash, hostPortsOf, type HostPort } from '../pods/hostPorts.js'
import { podAddresses } from '../pods/podFacts.js'
import type { Node, Pod, Taint, Toleration } from '../types.js'
import { matchesNode } from './nodeAffinity.js'

/** A node and the pods that are placed on it so far. */
export interface NodeLoad {
  readonly node: Node
  /** Number of pods with an address of the node's pod range. */
  pods: number
  readonly capacity: number
  readonly podsByOwner: Map<string, number>
  /** Ports of the node that its pods use. */
  readonly hostPorts: HostPort[]
}

// Not for pods: the first address of the range, the bridge and, in IPv4, the broadcast address.
const reservedAddresses = 3

/** A node without pods. */
export function emptyLoad(node: Node): NodeLoad {
  const sizes = (node.spec?.podCIDRs ?? []).map((text) => {
    const range = parseRange(text)
    return range === undefined ? 0 : Number(rangeSize(range)) - reservedAddresses
  })
  return {
    node,
    pods: 0,
    capacity: Math.max(0, Math.min(...sizes, Infinity)),
    podsByOwner: new Map(),
    hostPorts: [],
  }
}

/** Adds a pod to a node. */
export function place(pod: Pod, load: NodeLoad, owner: string): void {
  load.podsByOwner.set(owner, (load.podsByOwner.get(owner) ?? 0) + 1)
  if (pod.spec.hostNetwork !== true) load.pods++
  load.hostPorts.push(...hostPortsOf(pod))
}

/** Why a pod does not fit on a node, in the words of the scheduler; undefined when it fits. */
export function whyNot(pod: Pod, load: NodeLoad): string | undefined {
  const { node } = load
  if (node.spec?.unschedulable === true && !tolerates(pod, unschedulableTaint))
    return 'node(s) were unschedulable'
  if (!matchesNode(pod.spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  const taint = (node.spec?.taints ?? []).find(
    (item) => item.effect !== 'PreferNoSchedule' && !tolerates(pod, item),
  )
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`
  if (hostPortsOf(pod).some((port) => load.hostPorts.some((held) => clash(port, held))))
    return "node(s) didn't have free ports for the requested pod ports"
  const needsAddress = pod.spec.hostNetwork !== true && podAddresses(pod).length === 0
  return needsAddress && load.pods >= load.capacity ? 'Too many pods' : undefined
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Whether a pod tolerates a taint, at least for a time (`tolerationSeconds`). */
export function tolerates(pod: Pod, taint: Taint): boolean {
  const tolerations = (pod.spec['tolerations'] ?? []) as readonly Toleration[]
  return tolerations.some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false
    if (key === '') return operator === 'Exists'
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
  })
}
