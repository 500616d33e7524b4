import type { Endpoint, Service } from '../types.js'

/** The hints for trafficDistribution; only ready endpoints have hints (endpointslice/trafficdist). */
export function withHints(endpoint: Endpoint, service: Service): Endpoint {
  const { trafficDistribution } = service.spec
  if (trafficDistribution === undefined || requestsZoneHints(service)) return endpoint
  if (endpoint.conditions?.ready !== true) return endpoint
  const zones = endpoint.zone === undefined ? undefined : [{ name: endpoint.zone }]
  const nodes =
    endpoint.nodeName === undefined || trafficDistribution !== 'PreferSameNode'
      ? undefined
      : [{ name: endpoint.nodeName }]
  if (zones === undefined && nodes === undefined) return endpoint
  return {
    ...endpoint,
    hints: {
      ...(nodes === undefined ? {} : { forNodes: nodes }),
      ...(zones === undefined ? {} : { forZones: zones }),
    },
  }
}

/** Whether an annotation requests hints by zone, which replace those for trafficDistribution (hintsEnabled). */
export function requestsZoneHints({ metadata: { annotations = {} } }: Service): boolean {
  const mode =
    annotations['service.kubernetes.io/topology-aware-hints'] ??
    annotations['service.kubernetes.io/topology-mode']
  return mode === 'Auto' || mode === 'auto'
}
