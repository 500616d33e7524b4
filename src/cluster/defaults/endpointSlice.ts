import type { EndpointSlice } from '../types.js'

/** Sets what the ports of an EndpointSlice leave out (SetDefaults_EndpointPort). */
export function defaultEndpointSlice(slice: EndpointSlice): EndpointSlice {
  if (slice.ports === undefined) return slice
  const ports = slice.ports.map((port) => ({
    ...port,
    name: port.name ?? '',
    protocol: port.protocol ?? 'TCP',
  }))
  return { ...slice, ports }
}
