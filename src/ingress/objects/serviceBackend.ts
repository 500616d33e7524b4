import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { Cluster, EndpointSlice, Service, ServicePort } from '../../cluster/types.js'

/** A reference of an object to a port of a Service. */
export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  /** By name or by number. */
  readonly port: string | number | undefined
}

/** The endpoints of a Service's port, or a problem; no ready endpoints is not a problem. */
export interface FoundBackend {
  readonly endpoints: readonly { readonly address: string; readonly port: number }[]
  readonly port?: ServicePort | undefined
  readonly problem?: string | undefined
}

/**
 * The ready endpoints of a Service's port, in its first family; with `throughService` its cluster IP instead, so that
 * kube-proxy chooses the pod.
 */
export function serviceBackend(
  cluster: Cluster,
  reference: ServiceReference,
  throughService = false,
): FoundBackend {
  const { namespace, name } = reference
  const service = cluster.services.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
  if (service === undefined) return notFound(`Service ${namespace}/${name} was not found`)
  if (service.spec.type === 'ExternalName')
    return notFound(`Service ${namespace}/${name} is of type ExternalName: it has no endpoints`)
  const port = portOf(service, reference.port)
  if (port === undefined)
    return notFound(`Service ${namespace}/${name} has no port ${reference.port ?? '(no port is set)'}`)
  if (!throughService)
    return { port, endpoints: endpointsOf(slicesOf(cluster, { namespace, name }), service, port) }
  const { clusterIP = 'None' } = service.spec
  if (clusterIP === 'None') return { ...notFound(`Service ${namespace}/${name} has no cluster IP`), port }
  return { port, endpoints: [{ address: clusterIP, port: port.port }] }
}

function notFound(problem: string): FoundBackend {
  return { endpoints: [], problem }
}

function portOf({ spec }: Service, wanted: string | number | undefined): ServicePort | undefined {
  return (spec.ports ?? []).find(
    ({ name = '', port, protocol = 'TCP' }) => protocol === 'TCP' && (port === wanted || name === wanted),
  )
}

function endpointsOf(
  slices: readonly EndpointSlice[],
  { spec }: Service,
  { name: portName = '' }: ServicePort,
): { address: string; port: number }[] {
  const family = spec.ipFamilies?.[0] ?? 'IPv4'
  return slices
    .filter(({ addressType }) => addressType === family)
    .flatMap(({ endpoints, ports = [] }) => {
      const port = ports.find(
        ({ name = '', protocol = 'TCP' }) => name === portName && protocol === 'TCP',
      )?.port
      if (port === undefined) return []
      return endpoints
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap(({ addresses }) => addresses.slice(0, 1).map((address) => ({ address, port })))
    })
}
