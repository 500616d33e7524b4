import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { Cluster, EndpointSlice, Service } from '../../cluster/types.js'
import { networkHolds, parseNetwork } from '../../net/address.js'
import type { ReachRequest } from './requests.js'

/** Whether the objects promise that a request arrives at an endpoint of its Service. */
export function promises(cluster: Cluster): (request: ReachRequest, service: Service) => boolean {
  const known = new Map<Service, readonly EndpointSlice[]>()
  const slicesFor = (service: Service) => {
    const slices = known.get(service) ?? slicesOf(cluster, service.metadata)
    known.set(service, slices)
    return slices
  }
  return ({ source, target, by }, service) => {
    const { spec } = service
    const ready = slicesFor(service).flatMap(({ endpoints }) =>
      endpoints.filter(({ conditions }) => conditions?.ready !== false),
    )
    const isOn = (node: string | undefined) => ready.some(({ nodeName }) => nodeName === node)
    switch (target.kind) {
      case 'cluster IP':
        if (source.kind === 'outside') return false
        return spec.internalTrafficPolicy === 'Local' ? isOn(source.node) : ready.length > 0
      case 'node port':
        return spec.externalTrafficPolicy === 'Local' ? isOn(target.node) : ready.length > 0
      case 'load balancer': {
        const node = by?.name
        if (source.address === undefined || !isAllowed(service, source.address)) return false
        return spec.externalTrafficPolicy === 'Local' && node !== undefined ? isOn(node) : ready.length > 0
      }
      default:
        return false
    }
  }
}

function isAllowed({ spec: { loadBalancerSourceRanges = [] } }: Service, address: string): boolean {
  const ranges = loadBalancerSourceRanges.flatMap((text) => parseNetwork(text.trim()) ?? [])
  return ranges.length === 0 || ranges.some((range) => networkHolds(range, address))
}
