import type { Gateway, GatewayRoute } from '../types/gateway.js'
import type { Cluster, KubeObject } from '../types.js'

/** Fields of Gateways that are read and do nothing here, with what happens instead; others are told in conditions. */
const ofGateways: readonly { readonly what: string; readonly holds: (spec: Gateway['spec']) => boolean }[] = [
  {
    what: 'labels and annotations of spec.infrastructure go nowhere: the Gateways of a controller share its Service and its pods',
    holds: ({ infrastructure = {} }) =>
      [infrastructure.labels, infrastructure.annotations].some((map) => Object.keys(map ?? {}).length > 0),
  },
  {
    what: 'spec.allowedListeners lets nobody in: there are no ListenerSets here',
    holds: ({ allowedListeners }) => (allowedListeners?.namespaces?.from ?? 'None') !== 'None',
  },
  {
    what: 'tls.options of a listener do nothing: no option is known here',
    holds: ({ listeners }) => listeners.some(({ tls }) => Object.keys(tls?.options ?? {}).length > 0),
  },
]

const ofRoutes: readonly {
  readonly what: string
  readonly holds: (spec: GatewayRoute['spec']) => boolean
}[] = [
  {
    what: 'useDefaultGateways attaches to nothing: no Gateway is a default one here',
    holds: ({ useDefaultGateways = 'None' }) => useDefaultGateways !== 'None',
  },
  {
    what: 'a parentRef that is not a Gateway attaches to nothing: there is no service mesh here',
    holds: ({ parentRefs = [] }) => parentRefs.some(({ kind = 'Gateway' }) => kind !== 'Gateway'),
  },
]

/** A line for each field of the Gateway API's objects that does nothing here. */
export function gatewayNotices(cluster: Cluster): string[] {
  const { gateways = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  const routes: readonly GatewayRoute[] = [...httpRoutes, ...grpcRoutes, ...tlsRoutes]
  return [
    ...ofGateways.flatMap(({ what, holds }) =>
      said(
        what,
        gateways.filter(({ spec }) => holds(spec)),
      ),
    ),
    ...ofRoutes.flatMap(({ what, holds }) =>
      said(
        what,
        routes.filter(({ spec }) => holds(spec)),
      ),
    ),
  ]
}

function said(what: string, objects: readonly KubeObject[]): string[] {
  const names = objects.map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`,
  )
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}
