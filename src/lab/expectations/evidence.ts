import type { SocketAddress } from '../../net/socketAddress.js'
import type { Flow, Hop } from '../../packets/types.js'
import type { PodView } from '../../results/events.js'
import type { Exchange } from '../steps/exchanges.js'
import { podAt } from '../names/places.js'
import { parseSocket } from '../../net/socketText.js'
import type { RequestResult } from '../../results/request.js'
import type { CheckContext } from '../types.js'

/** The pod that answered: from the echo server's response; for other servers from the packets. */
export function servingPod(exchange: Exchange, context: CheckContext): PodView | undefined {
  const { echo } = exchange.request
  if (echo) {
    return context.topology.pods.find((pod) => pod.name === echo.pod && pod.namespace === echo.namespace)
  }
  for (const { flow } of exchange.flows) {
    const pod = podReached(flow, context)?.pod
    if (pod) return pod
  }
  return undefined
}

/** The client address that the pod saw. */
export function clientAsSeen(exchange: Exchange, context: CheckContext): SocketAddress | undefined {
  const { echo } = exchange.request
  if (echo) return parseSocket(echo.client)
  for (const { flow } of exchange.flows) {
    const reached = podReached(flow, context)
    if (reached) return reached.hop.source
  }
  return undefined
}

/**
 * The pod at the end of an answered flow, with the last hop to it. In a large lab pods are not captured themselves: then
 * the last hop is the node's end of the pod's link.
 */
export function podReached(flow: Flow, context: CheckContext): { pod: PodView; hop: Hop } | undefined {
  const hop = flow.outcome === 'answered' ? flow.hops.at(-1) : undefined
  const pod = hop && podAt(hop.destination.address, context)
  return hop && pod && { pod, hop }
}

/** How a request ended, for messages. */
export function outcomeWords(request: RequestResult): string {
  return outcomes[request.outcome]
}

/** The pod with the node it runs on: `web-1 on node-b`. */
export function podWords(pod: PodView): string {
  return `${pod.name} on ${pod.node}`
}

const outcomes = {
  answered: 'it was answered',
  refused: 'connection refused',
  timeout: 'no answer in time',
  unreachable: 'destination unreachable',
  reset: 'connection reset',
  failed: 'it failed for another reason',
} as const
