import type { Cluster, Endpoint, EndpointSlice } from './types.js'

/** One that a Service has in its EndpointSlices: a pod, in all its families, or an address that somebody wrote. */
export interface ServiceEndpoint {
  readonly name: string
  readonly addresses: readonly string[]
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
}

/** The EndpointSlices of a Service, by name. */
export function slicesOf(
  { endpointSlices }: Cluster,
  service: { readonly namespace?: string | undefined; readonly name: string },
): EndpointSlice[] {
  const namespace = service.namespace ?? 'default'
  return endpointSlices.filter(
    ({ metadata }) =>
      (metadata.namespace ?? 'default') === namespace &&
      metadata.labels?.['kubernetes.io/service-name'] === service.name,
  )
}

/** What the EndpointSlices of a Service hold; a pod that stands in several of them counts once. */
export function serviceEndpoints(slices: readonly EndpointSlice[]): ServiceEndpoint[] {
  const found = new Map<string, ServiceEndpoint>()
  for (const endpoint of slices.flatMap((slice) => slice.endpoints)) {
    const name = endpoint.targetRef?.name ?? endpoint.addresses.join(', ')
    const before = found.get(name)
    found.set(name, {
      name,
      addresses: [...new Set([...(before?.addresses ?? []), ...endpoint.addresses])],
      ...conditionsOf(endpoint),
    })
  }
  return [...found.values()]
}

/** Absent means ready, and as much serving as ready, and not terminating (EndpointConditions). */
function conditionsOf({ conditions = {} }: Endpoint) {
  const ready = conditions.ready !== false
  return { ready, serving: conditions.serving ?? ready, terminating: conditions.terminating === true }
}
