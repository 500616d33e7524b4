import { kindOf } from './kinds/index.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import type { EndpointSlice, Service } from './types.js'
import { withoutLeadingZeros } from './validation/addresses.js'

/**
 * A stored object as kube-proxy reads it: objects of older clusters may have addresses with leading zeros, which the API server has not
 * accepted for new ones since 1.36, and which are read as decimal numbers.
 */
export function withPlainAddresses(located: LocatedObject): LocatedObject {
  const plain = plainObject(located.object)
  if (plain === located.object) return located
  return { ...located, object: plain, faults: kindOf(plain.kind).validateCreate(plain) }
}

function plainObject(object: LocatedObject['object']): LocatedObject['object'] {
  if (object.kind === 'Service') return plainService(object as Service)
  if (object.kind !== 'EndpointSlice' || (object as EndpointSlice).addressType !== 'IPv4') return object
  const slice = object as EndpointSlice
  const endpoints = slice.endpoints.map((one) => ({
    ...one,
    addresses: one.addresses.map(withoutLeadingZeros),
  }))
  return { ...slice, endpoints } as EndpointSlice
}

const lists = ['clusterIPs', 'externalIPs', 'loadBalancerSourceRanges'] as const

function plainService(service: Service): Service {
  const { spec, status } = service
  const { clusterIP, loadBalancerIP } = spec
  const ingress = status?.loadBalancer?.ingress?.map((one) =>
    one.ip === undefined ? one : { ...one, ip: withoutLeadingZeros(one.ip) },
  )
  return {
    ...service,
    spec: {
      ...spec,
      ...(clusterIP === undefined ? {} : { clusterIP: withoutLeadingZeros(clusterIP) }),
      ...(loadBalancerIP === undefined ? {} : { loadBalancerIP: withoutLeadingZeros(loadBalancerIP) }),
      ...Object.fromEntries(
        lists.flatMap((list) =>
          spec[list] === undefined ? [] : [[list, spec[list].map(withoutLeadingZeros)]],
        ),
      ),
    },
    ...(ingress === undefined ? {} : { status: { ...status, loadBalancer: { ingress } } }),
  }
}
