import { namespacedName } from '../../cluster/namespacedName.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { serviceNameLabel, serviceOf } from './endpoints.js'
import type { ProxyInput } from './input.js'

/** Some Services of a cluster, by `namespace/name`, with their EndpointSlices of one family. */
export function ofServices(
  { services, endpointSlices }: Pick<ProxyInput, 'services' | 'endpointSlices'>,
  some: ReadonlySet<string>,
  family: IpFamily,
): Pick<ProxyInput, 'services' | 'endpointSlices'> {
  // most of thousands differ in the name alone, whose comparison allocates no string
  const names = new Set([...some].map((service) => service.slice(service.indexOf('/') + 1)))
  return {
    services: services.filter(
      ({ metadata }) => names.has(metadata.name) && some.has(namespacedName({ metadata })),
    ),
    endpointSlices: endpointSlices.filter((slice) => {
      if (!names.has(slice.metadata.labels?.[serviceNameLabel] ?? '')) return false
      const service = serviceOf(slice, family)
      return service !== undefined && some.has(`${service.namespace}/${service.name}`)
    }),
  }
}
