import type { Endpoint, Service } from '../types.js'

/** The hints for trafficDistribution; only ready endpoints have hints (endpointslice/trafficdist). */
export function withHints(endpoint: Endpoint, service: Service): Endpoint {
  const { trafficDistribution } = service.spec
  if (trafficDistribution === undefined || endpoint.conditions?.ready !== true) return endpoint
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
