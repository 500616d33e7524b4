import { namespacedName } from '../../cluster/namespacedName.js'
import { podAddresses } from '../../cluster/pods/podFacts.js'
import { serviceOfSlice } from '../../cluster/serviceEndpoints.js'
import type { EndpointSlice, Pod, Service, ServicePort } from '../../cluster/types.js'
import type { Selected } from './selected.js'

/**
 * Services as they are written, where tables show less of them. Their selectors find the pods behind them: pods without labels, which only endpoints show, get those of the selector. If pods
 * get other addresses, Services without a selector that have pods as endpoints get one; other endpoints of these are lost. The slices are those that no controller writes.
 */
export function completed(chosen: Selected, keepsAddresses: boolean): Selected {
  const labels = new Map<Pod, Record<string, string>>()
  const selectors = new Map<Service, Record<string, string>>()
  for (const service of chosen.services) {
    const own = chosen.slices.filter((slice) => serviceOfSlice(slice) === namespacedName(service))
    const addresses = own.flatMap(({ endpoints }) => endpoints.flatMap((one) => one.addresses))
    const pods = chosen.pods.filter((pod) => podAddresses(pod).some((address) => addresses.includes(address)))
    const selector =
      service.spec.selector ??
      (pods.length > 0 && !keepsAddresses ? { [`endpoint-of-${service.metadata.name}`]: 'true' } : undefined)
    if (selector === undefined) continue
    selectors.set(service, selector)
    const isMade = service.spec.selector === undefined
    for (const pod of pods)
      if (isMade || pod.metadata.labels === undefined) labels.set(pod, { ...labels.get(pod), ...selector })
  }
  const pods = chosen.pods.map((pod) => {
    const added = labels.get(pod)
    return added === undefined
      ? pod
      : { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...added } } }
  })
  const services = chosen.services.map((service) => {
    const selector = selectors.get(service)
    const ports = withTargetPorts(service, chosen.slices)
    return { ...service, spec: { ...service.spec, ports, ...(selector === undefined ? {} : { selector }) } }
  })
  const isWritten = new Set(chosen.services.filter((one) => !selectors.has(one)).map(namespacedName))
  return {
    ...chosen,
    pods,
    services,
    slices: chosen.slices.filter((one) => isWritten.has(serviceOfSlice(one))),
  }
}

/** The target port of each port: every stored Service has one, and where a table does not show it, endpoints do. */
function withTargetPorts(service: Service, slices: readonly EndpointSlice[]): ServicePort[] {
  const own = slices.filter((slice) => serviceOfSlice(slice) === namespacedName(service))
  return (service.spec.ports ?? []).map((port) => {
    if (port.targetPort !== undefined) return port
    const found = own
      .flatMap(({ ports = [] }) => ports)
      .find(
        ({ name = '', protocol = 'TCP' }) =>
          name === (port.name ?? '') && protocol === (port.protocol ?? 'TCP'),
      )
    return found?.port === undefined ? port : { ...port, targetPort: found.port }
  })
}
