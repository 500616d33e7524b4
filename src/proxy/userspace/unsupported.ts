import type { Service } from '../../cluster/types.js'

/** The first field of a Service that mode userspace does not support; undefined if it supports all. */
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
