import type { SocketAddress } from '../../net/socketAddress.js'
import type { Flow } from '../../packets/types.js'
import { addressFamily } from '../../net/ranges.js'
import { parseSocket, socketText } from '../../net/socketText.js'
import type { RequestResult } from '../../results/request.js'
import type { Observation } from '../observation.js'

/** One request of a step with the flows that it caused. */
export interface Exchange {
  readonly index: number
  readonly request: RequestResult
  readonly flows: readonly NumberedFlow[]
  /** The connection that a proxy made for it, if the server reported its client's address. */
  readonly relay?: NumberedFlow | undefined
}

/** A flow with its place in `Observation.flows`. */
export interface NumberedFlow {
  readonly flow: Flow
  readonly index: number
}

/**
 * Finds the flows of each request: by the sender's socket if curl reports it (in order, because a port can be used
 * again). Of the other flows, a single request gets all to its destination; several requests get one each, in order of
 * time, if there are as many flows as requests.
 */
export function exchangesOf(seen: Observation): Exchange[] {
  const all = seen.flows.map((flow, index) => ({ flow, index }))
  const isRelay = ({ flow }: NumberedFlow) => seen.relays?.includes(flow) === true
  const numbered = all.filter((one) => !isRelay(one))
  const bySource = groupBySource(numbered)
  const tied = seen.requests.map(({ local }) => take(bySource, local))
  const relayed = groupBySource(all.filter(isRelay))
  const relays = seen.requests.map(({ echo }) => take(relayed, echo && parseSocket(echo.client)))
  const taken = new Set(tied)
  const untied = seen.requests.filter((_, index) => tied[index] === undefined)
  const left = towards(
    untied[0]?.remote,
    numbered.filter((one) => !taken.has(one)),
  )
  const inOrder = left.length === untied.length ? left.values() : undefined
  return seen.requests.map((request, index) => {
    const own = tied[index]
    const relay = relays[index]
    if (own) return { index, request, flows: [own], relay }
    if (seen.requests.length === 1) return { index, request, flows: left, relay }
    const next = inOrder?.next().value
    return { index, request, flows: next ? [next] : [], relay }
  })
}

function groupBySource(numbered: readonly NumberedFlow[]): Map<string, NumberedFlow[]> {
  const bySource = new Map<string, NumberedFlow[]>()
  for (const one of numbered) {
    const key = socketText(one.flow.source)
    const queue = bySource.get(key)
    if (queue) queue.push(one)
    else bySource.set(key, [one])
  }
  return bySource
}

function take(
  bySource: Map<string, NumberedFlow[]>,
  local: SocketAddress | undefined,
): NumberedFlow | undefined {
  return local?.port === undefined ? undefined : bySource.get(socketText(local))?.shift()
}

/**
 * Flows to the address that was called, without late packets of the step before; all flows if there are none. nc does not
 * report the address of a name: flows to its port.
 */
function towards(remote: SocketAddress | undefined, flows: readonly NumberedFlow[]): readonly NumberedFlow[] {
  if (remote === undefined) return flows
  const matching = flows.filter(
    ({ flow: { destination } }) =>
      (destination.address === remote.address || addressFamily(remote.address) === undefined) &&
      (destination.port === remote.port || destination.port === undefined || remote.port === undefined),
  )
  return matching.length > 0 ? matching : flows
}
