import type { Cluster, Endpoint, EndpointSlice } from './types.js'

/** An endpoint of a Service: a pod, in all its families, or a manual address. */
export interface ServiceEndpoint {
  readonly name: string
  readonly addresses: readonly string[]
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
}

/** The Service that a slice belongs to by its label, as `namespace/name`. */
export function serviceOfSlice({ metadata }: Pick<EndpointSlice, 'metadata'>): string {
  return `${metadata.namespace ?? 'default'}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`
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

/** The endpoints in the EndpointSlices of a Service; a pod in several slices counts once. */
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

/** Default conditions: ready, serving like ready, and not terminating (EndpointConditions). */
function conditionsOf({ conditions = {} }: Endpoint) {
  const ready = conditions.ready !== false
  return { ready, serving: conditions.serving ?? ready, terminating: conditions.terminating === true }
}
