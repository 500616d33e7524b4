import type { Cluster, Service } from '../cluster/types.js'
import { handlesService } from '../proxy/servicePort.js'

/** What a Service asks for that mode userspace never heard of: the field, or undefined where there is nothing. */
function unknownField({ spec, metadata }: Service): string | undefined {
  if (spec.externalTrafficPolicy === 'Local') return 'externalTrafficPolicy: Local'
  if (spec.internalTrafficPolicy === 'Local') return 'internalTrafficPolicy: Local'
  if ((spec.loadBalancerSourceRanges ?? []).length > 0) return 'loadBalancerSourceRanges'
  if (spec.trafficDistribution !== undefined) return 'trafficDistribution'
  if (metadata.annotations?.['service.kubernetes.io/topology-mode'] !== undefined) return 'topology-mode'
  return (spec.ports ?? []).some(({ protocol }) => protocol === 'SCTP')
    ? 'a port of protocol SCTP'
    : undefined
}

/** Why a lab would say what is not so in mode userspace; undefined where its Services ask for nothing that it lacks. */
export function notInUserspace({ services }: Pick<Cluster, 'services'>): string | undefined {
  for (const service of services.filter(handlesService)) {
    const field = unknownField(service)
    const { namespace = 'default', name } = service.metadata
    if (field !== undefined) return `Service ${namespace}/${name} has ${field}, which that mode lacks`
  }
  return undefined
}
