import { sameJson } from '../hash.js'
import type { Endpoint, EndpointSlice } from '../types.js'

/** `--max-endpoints-per-slice` of kube-controller-manager. */
export const maxEndpointsPerSlice = 100

/** The endpoints of one slice, and the existing slice that they update, if any. */
export interface PackedSlice {
  readonly before: EndpointSlice | undefined
  readonly endpoints: readonly Endpoint[]
  /** Whether the existing slice has these endpoints already, hints aside. */
  readonly unchanged: boolean
}

/**
 * Spreads endpoints over slices as the controller does (reconcileByPortMapping): an endpoint stays in its slice; new
 * ones go to slices that change anyway, then all together to the fullest slice that has room, then to new slices. A
 * slice without endpoints is deleted.
 */
export function packEndpoints(
  desired: readonly Endpoint[],
  existing: readonly EndpointSlice[],
  most: number = maxEndpointsPerSlice,
): PackedSlice[] {
  const waiting = new Map(desired.map((endpoint) => [endpointKey(endpoint), endpoint]))
  const packed = existing.map((before) => {
    const endpoints = before.endpoints.flatMap((endpoint) => take(waiting, endpointKey(endpoint)))
    return { before, endpoints, unchanged: sameButHints(endpoints, before.endpoints) }
  })
  for (const slice of packed)
    if (!slice.unchanged) slice.endpoints.push(...takeFirst(waiting, most - slice.endpoints.length))
  if (waiting.size > 0 && waiting.size < most) {
    const withRoom = packed.filter(
      (slice) => slice.endpoints.length + waiting.size <= most && slice.endpoints.length > 0,
    )
    withRoom.sort((a, b) => b.endpoints.length - a.endpoints.length)
    const [fullest] = withRoom
    if (fullest !== undefined) {
      fullest.endpoints.push(...takeFirst(waiting, waiting.size))
      fullest.unchanged = false
    }
  }
  const result: PackedSlice[] = packed.filter((slice) => slice.endpoints.length > 0)
  while (waiting.size > 0)
    result.push({ before: undefined, endpoints: takeFirst(waiting, most), unchanged: false })
  return result
}

function sameButHints(some: readonly Endpoint[], others: readonly Endpoint[]): boolean {
  const [one, two] = [some, others].map((all) => all.map((endpoint) => ({ ...endpoint, hints: undefined })))
  return sameJson(one, two)
}

function take(waiting: Map<string, Endpoint>, key: string): Endpoint[] {
  const endpoint = waiting.get(key)
  waiting.delete(key)
  return endpoint === undefined ? [] : [endpoint]
}

function takeFirst(waiting: Map<string, Endpoint>, count: number): Endpoint[] {
  const first = [...waiting].slice(0, Math.max(0, count))
  for (const [key] of first) waiting.delete(key)
  return first.map(([, endpoint]) => endpoint)
}

function endpointKey(endpoint: Endpoint): string {
  return `${endpoint.targetRef?.namespace ?? ''}/${endpoint.targetRef?.name ?? ''} ${endpoint.addresses.join()}`
}
