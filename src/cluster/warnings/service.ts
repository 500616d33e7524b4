import { withClusterIPs } from '../defaults/service.js'
import { isHeadless } from '../serviceType.js'
import type { Service } from '../types.js'
import { addressWarnings, rangeWarnings, type Warning } from './warning.js'

const topologyHints = 'service.kubernetes.io/topology-aware-hints'

/** Warnings about a Service (GetWarningsForService of pkg/api/service). */
export function serviceWarnings(service: Service): Warning[] {
  const { metadata, spec } = withClusterIPs(service)
  const { clusterIPs = [], externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [] } = spec
  const isExternalName = spec.type === 'ExternalName'
  const headless = spec.type === 'ClusterIP' && isHeadless({ metadata, spec } as Service)
  const about = (field: string, holds: boolean, message: string): Warning[] =>
    holds ? [{ path: ['spec', field], message }] : []
  return [
    ...(metadata.annotations?.[topologyHints] === undefined
      ? []
      : [
          {
            path: ['metadata', 'annotations', topologyHints],
            message: `annotation ${topologyHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
          },
        ]),
    ...(isExternalName || isHeadless({ metadata, spec } as Service) ? [] : clusterIPs).flatMap(
      (address, index) => addressWarnings(['spec', 'clusterIPs', index], address),
    ),
    ...(headless
      ? [
          ...about(
            'loadBalancerIP',
            loadBalancerIP !== '',
            'spec.loadBalancerIP is ignored for headless services',
          ),
          ...about(
            'externalIPs',
            externalIPs.length > 0,
            'spec.externalIPs is ignored for headless services',
          ),
          ...about(
            'sessionAffinity',
            spec.sessionAffinity !== 'None',
            'spec.SessionAffinity is ignored for headless services',
          ),
        ]
      : []),
    ...externalIPs.flatMap((address, index) => addressWarnings(['spec', 'externalIPs', index], address)),
    ...about(
      'externalIPs',
      externalIPs.length > 0 && !headless && !isExternalName,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ),
    ...(loadBalancerIP === '' ? [] : addressWarnings(['spec', 'loadBalancerIP'], loadBalancerIP)),
    ...loadBalancerSourceRanges.flatMap((range, index) =>
      rangeWarnings(['spec', 'loadBalancerSourceRanges', index], range),
    ),
    ...about(
      'externalIPs',
      externalIPs.length > 0 && isExternalName,
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ),
    ...about(
      'externalName',
      (spec.externalName ?? '') !== '' && !isExternalName,
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...about(
      'trafficDistribution',
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ]
}

/** Warnings about the addresses in a status, of a Service or of an Ingress. */
export function statusWarnings(status: unknown): Warning[] {
  const { loadBalancer: { ingress = [] } = {} } = (status ?? {}) as NonNullable<Service['status']>
  return ingress.flatMap(({ ip = '' }, index) =>
    ip === '' ? [] : addressWarnings(['status', 'loadBalancer', 'ingress', index], ip),
  )
}
