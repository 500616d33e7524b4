import { namespacedName } from '../namespacedName.js'
import type { Gateway, GatewayListener, GatewayRoute } from '../types/gateway.js'
import type { Cluster, KubeObject } from '../types.js'

/**
 * Fields of the Gateway API that have no effect, with the reason; unsupported fields that conditions report are not
 * listed.
 */
const ofGateways: readonly { readonly what: string; readonly holds: (spec: Gateway['spec']) => boolean }[] = [
  {
    what: 'labels and annotations of spec.infrastructure have no effect: the Gateways of a controller share its Service and its pods',
    holds: ({ infrastructure = {} }) =>
      [infrastructure.labels, infrastructure.annotations].some((map) => Object.keys(map ?? {}).length > 0),
  },
]

const ofListeners: readonly {
  readonly what: string
  readonly holds: (listener: GatewayListener) => boolean
}[] = [
  {
    what: 'tls.options of a listener have no effect: no option is supported',
    holds: ({ tls }) => Object.keys(tls?.options ?? {}).length > 0,
  },
]

const ofRoutes: readonly {
  readonly what: string
  readonly holds: (spec: GatewayRoute['spec']) => boolean
}[] = [
  {
    what: 'useDefaultGateways has no effect: default Gateways are not supported',
    holds: ({ useDefaultGateways = 'None' }) => useDefaultGateways !== 'None',
  },
  {
    what: 'a parentRef that is not a Gateway or a ListenerSet has no effect: service meshes are not supported',
    holds: ({ parentRefs = [] }) =>
      parentRefs.some(({ kind = 'Gateway' }) => !['Gateway', 'ListenerSet'].includes(kind)),
  },
]

/** A notice for each field of the Gateway API's objects that has no effect. */
export function gatewayNotices(cluster: Cluster): string[] {
  const { gateways = [], listenerSets = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  const routes: readonly GatewayRoute[] = [...httpRoutes, ...grpcRoutes, ...tlsRoutes]
  return [
    ...ofGateways.flatMap(({ what, holds }) =>
      noticeFor(
        what,
        gateways.filter(({ spec }) => holds(spec)),
      ),
    ),
    ...ofListeners.flatMap(({ what, holds }) =>
      noticeFor(
        what,
        [...gateways, ...listenerSets].filter(({ spec }) => spec.listeners.some(holds)),
      ),
    ),
    ...noticeFor(
      'spec.parentRef of a ListenerSet that is not a Gateway has no effect: no controller serves another kind',
      listenerSets.filter(({ spec }) => (spec.parentRef.kind ?? 'Gateway') !== 'Gateway'),
    ),
    ...ofRoutes.flatMap(({ what, holds }) =>
      noticeFor(
        what,
        routes.filter(({ spec }) => holds(spec)),
      ),
    ),
  ]
}

function noticeFor(what: string, objects: readonly KubeObject[]): string[] {
  const names = objects.map(({ kind, metadata }) => `${kind} ${namespacedName({ metadata })}`)
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}
