import type { Endpoints, EndpointSlice } from '../types.js'
import { addressWarnings, type Warning } from './warning.js'

const sliceManager = 'endpointslice.kubernetes.io/managed-by'
const ownControllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']

/** Warnings about an EndpointSlice: about its type only when it is new. */
export function sliceWarnings(slice: EndpointSlice, before?: EndpointSlice): Warning[] {
  const { metadata, addressType, endpoints } = slice
  const isOwn = ownControllers.includes(metadata.labels?.[sliceManager] ?? '')
  return [
    ...(addressType === 'FQDN' && before === undefined
      ? [{ path: ['addressType'], message: 'spec.addressType: FQDN endpoints are deprecated' }]
      : []),
    ...(isOwn ? [] : endpoints).flatMap(({ addresses }, index) =>
      addresses.flatMap((address, place) =>
        addressWarnings(['endpoints', index, 'addresses', place], address),
      ),
    ),
  ]
}

/** Warnings about Endpoints, besides that the kind is deprecated. */
export function endpointsWarnings({ metadata, subsets = [] }: Endpoints): Warning[] {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return []
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, place) =>
        addressWarnings(['subsets', index, list, place, 'ip'], ip),
      ),
    ),
  )
}
