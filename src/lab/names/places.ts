import type { SocketAddress } from '../../net/socketAddress.js'
import type { NodeView, PodView } from '../../results/events.js'
import type { Named } from '../../names/named.js'
import { socketText } from '../../net/socketText.js'
import type { CheckContext } from '../types.js'

/** True when a network namespace is that place; a pod on the host's network is where its node is. */
export function isPlace(place: Named, netns: string, context: CheckContext): boolean {
  if (place.kind !== 'pod') return netns === place.name
  const node = context.topology.nodes.find(({ name }) => name === place.pod?.node)
  if (node?.addresses.some((address) => place.addresses.includes(address))) return netns === node.name
  return podIn(netns, context) === place.pod
}

/** The name that `vethlab exec` takes for a network namespace. */
export function placeName(netns: string, context: CheckContext): string {
  const pod = podIn(netns, context)
  return pod === undefined || pod.name === netns ? netns : `${pod.namespace}/${pod.name}`
}

/** The node of a network namespace. */
export function nodeIn(netns: string, context: CheckContext): NodeView | undefined {
  return context.topology.nodes.find((node) => node.name === netns)
}

/** The pod with this address; never a pod on its node's network. */
export function podAt(address: string, context: CheckContext): PodView | undefined {
  const { nodes, pods } = context.topology
  if (nodes.some((node) => node.addresses.includes(address))) return undefined
  return pods.find((pod) => pod.addresses.includes(address))
}

/** An address with the name of its owner, for messages: `172.18.0.2:30080 (node-a)`. */
export function addressWords(socket: SocketAddress | undefined, context: CheckContext): string {
  if (socket === undefined) return 'no address'
  const name = context.nameOf(socket.address)
  return name === undefined ? socketText(socket) : `${socketText(socket)} (${name})`
}

/** A pod's netns has the pod's name, or `namespace_name` where the name alone is taken (topology/names.ts). */
function podIn(netns: string, context: CheckContext): PodView | undefined {
  const { nodes, clients, pods } = context.topology
  const qualified = pods.find((pod) => `${pod.namespace}_${pod.name}` === netns)
  if (qualified) return qualified
  if ([...nodes, ...clients].some(({ name }) => name === netns)) return undefined
  return pods.find((pod) => pod.name === netns)
}
