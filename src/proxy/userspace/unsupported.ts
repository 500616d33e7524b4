import type { Service } from '../../cluster/types.js'

/** What a Service requests that mode userspace never had; undefined where it requests nothing of the kind. */
export function unsupportedField({ spec, metadata }: Service): string | undefined {
  if (spec.externalTrafficPolicy === 'Local') return 'externalTrafficPolicy: Local'
  if (spec.internalTrafficPolicy === 'Local') return 'internalTrafficPolicy: Local'
  if ((spec.loadBalancerSourceRanges ?? []).length > 0) return 'loadBalancerSourceRanges'
  if (spec.trafficDistribution !== undefined) return 'trafficDistribution'
  if (metadata.annotations?.['service.kubernetes.io/topology-mode'] !== undefined) return 'topology-mode'
  return (spec.ports ?? []).some(({ protocol }) => protocol === 'SCTP')
    ? 'a port of protocol SCTP'
    : undefined
}
