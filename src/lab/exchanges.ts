import type { Flow, SocketAddress } from '../packets/types.js'
import { socketText } from './socketText.js'
import type { Observation, RequestResult } from './types.js'

/** One request of a step with the flows that it caused. */
export interface Exchange {
  readonly index: number
  readonly request: RequestResult
  readonly flows: readonly NumberedFlow[]
}

/** A flow with its place in `Observation.flows`. */
export interface NumberedFlow {
  readonly flow: Flow
  readonly index: number
}

/**
 * Ties each request to its flows: by the sender's socket where curl told it (in order, for a port may come again), then
 * one to one in order of time when as many flows as requests are left; a lone request caused all of them.
 */
export function exchangesOf(seen: Observation): Exchange[] {
  const numbered = seen.flows.map((flow, index) => ({ flow, index }))
  if (seen.requests.length === 1)
    return seen.requests.map((request) => ({ index: 0, request, flows: numbered }))
  const bySource = new Map<string, NumberedFlow[]>()
  for (const one of numbered) {
    const key = socketText(one.flow.source)
    const queue = bySource.get(key)
    if (queue) queue.push(one)
    else bySource.set(key, [one])
  }
  const taken = new Set<NumberedFlow>()
  const tied = seen.requests.map((request) => {
    const flow = take(bySource, request.local)
    if (flow) taken.add(flow)
    return flow
  })
  const left = numbered.filter((one) => !taken.has(one))
  const inOrder = left.length === tied.filter((flow) => flow === undefined).length ? left.values() : undefined
  return seen.requests.map((request, index) => {
    const flow = tied[index] ?? inOrder?.next().value
    return { index, request, flows: flow ? [flow] : [] }
  })
}

function take(
  bySource: Map<string, NumberedFlow[]>,
  local: SocketAddress | undefined,
): NumberedFlow | undefined {
  return local?.port === undefined ? undefined : bySource.get(socketText(local))?.shift()
}
