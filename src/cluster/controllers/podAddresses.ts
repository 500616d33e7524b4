import {
  addressFamily,
  nthAddress,
  offsetIn,
  parseRange,
  rangeSize,
  type AddressRange,
} from '../../net/ranges.js'
import { nodeAddresses, zoneLabel } from '../nodes.js'
import { isTerminal, podAddresses } from '../pods/podFacts.js'
import type { Cluster, Node, Pod } from '../types.js'

// .1 of a node's range is its bridge.
const firstPod = 2

/** The annotation with which a pod asks for its addresses, as a JSON list (Calico's plugin for IPAM). */
export const addressesAnnotation = 'cni.projectcalico.org/ipAddrs'

/**
 * Assigns the addresses of each scheduled pod, and the labels of its node's zone: with hostNetwork those of the node, else those that
 * it asks for, where they are free, or the next free ones of the node's range.
 */
export function assignPodAddresses(cluster: Cluster): Cluster {
  const waiting = cluster.pods.filter((pod) => needsAddress(pod))
  if (waiting.length === 0) return cluster
  const nodes = new Map(cluster.nodes.map((node) => [node.metadata.name, node]))
  const taken = addressesByNode(cluster.pods)
  const past = pastByNode(cluster)
  const pools = new Map(
    [...nodes].map(([name, node]) => [name, poolsOf(node, taken.get(name) ?? [], past.get(name))]),
  )
  // before others get them
  const reserved = new Map(
    waiting.map((pod) => {
      const own = pools.get(pod.spec.nodeName ?? '') ?? []
      return [pod, askedAddresses(pod).filter((address) => own.some((pool) => pool.reserve(address)))]
    }),
  )
  let changed = false
  const pods = cluster.pods.map((pod) => {
    const node = nodes.get(pod.spec.nodeName ?? '')
    if (node === undefined || !needsAddress(pod)) return pod
    const addresses =
      pod.spec.hostNetwork === true
        ? nodeAddresses(node)
        : (pools.get(node.metadata.name) ?? []).flatMap((pool) => pool.next(reserved.get(pod)) ?? [])
    if (addresses[0] === undefined) return pod
    changed = true
    const hostIP = nodeAddresses(node)[0]
    return {
      ...pod,
      metadata: withTopology(pod, node),
      status: {
        ...pod.status,
        podIP: addresses[0],
        podIPs: addresses.map((ip) => ({ ip })),
        ...(hostIP === undefined ? {} : { hostIP }),
      },
    }
  })
  return changed ? { ...cluster, pods } : cluster
}

const topologyKeys = [zoneLabel, 'topology.kubernetes.io/region']

/** A pod gets the zone and the region of its node as labels (the admission plugin PodTopologyLabels). */
function withTopology({ metadata }: Pod, node: Node): Pod['metadata'] {
  const own = Object.entries(node.metadata.labels ?? {}).filter(([key]) => topologyKeys.includes(key))
  return own.length === 0
    ? metadata
    : { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(own) } }
}

function askedAddresses({ metadata: { annotations = {} } }: Pod): string[] {
  try {
    const given: unknown = JSON.parse(annotations[addressesAnnotation] ?? '[]')
    return Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

interface AddressPool {
  /** Takes an address out of the pool; false if it has it not, or no longer. */
  reserve(address: string): boolean
  /** The one of these addresses that is of the pool's range, or the next free one. */
  next(reserved?: readonly string[]): string | undefined
}

function addressesByNode(pods: readonly Pod[]): Map<string, string[]> {
  const taken = new Map<string, string[]>()
  for (const pod of pods) {
    const { nodeName = '' } = pod.spec
    const addresses = taken.get(nodeName)
    if (addresses === undefined) taken.set(nodeName, podAddresses(pod))
    else addresses.push(...podAddresses(pod))
  }
  return taken
}

/**
 * In a live cluster, released addresses too: the allocator continues to the end of the range before it starts again
 * (host-local IPAM).
 */
function pastByNode({ now, past = [] }: Cluster): Map<string, string[]> {
  const went = new Map<string, string[]>()
  if (now === undefined) return went
  for (const { node, addresses } of past) went.set(node, [...(went.get(node) ?? []), ...addresses])
  return went
}

function poolsOf(node: Node, taken: readonly string[], past: readonly string[] = []): AddressPool[] {
  return (node.spec?.podCIDRs ?? []).flatMap((text) => {
    const range = parseRange(text)
    return range === undefined ? [] : [createAddressPool(range, taken, past)]
  })
}

/** Addresses that were never used come first, then released ones, the earliest released first. */
function createAddressPool(
  range: AddressRange,
  taken: readonly string[],
  past: readonly string[],
): AddressPool {
  const offsetsOf = (addresses: readonly string[]) =>
    addresses.flatMap((address) => offsetIn(range, address) ?? [])
  const held = new Set(offsetsOf(taken))
  const went = [...new Set(offsetsOf(past).reverse())].reverse()
  const used = new Set([...held, ...went])
  const again = went.filter((offset) => !held.has(offset))
  const end = rangeSize(range) - (range.family === 'IPv4' ? 1n : 0n)
  let offset = BigInt(firstPod)
  return {
    reserve(address) {
      const place = addressFamily(address) === undefined ? undefined : offsetIn(range, address)
      if (place === undefined || place < BigInt(firstPod) || place >= end || used.has(place)) return false
      used.add(place)
      return true
    },
    next(reserved = []) {
      const own = reserved.find((address) => offsetIn(range, address) !== undefined)
      if (own !== undefined) return own
      while (offset < end && used.has(offset)) offset++
      const next = offset < end ? offset++ : again.shift()
      return next === undefined ? undefined : nthAddress(range, next)
    },
  }
}

function needsAddress(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== '' && podAddresses(pod).length === 0 && !isTerminal(pod)
}
