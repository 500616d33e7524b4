import type { GatewayCondition, ParentReference } from '../../../src/cluster/types/gateway.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { gatewayConfiguration } from '../../../src/ingress/gateway/gatewayConfiguration.js'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import { clusterWith } from '../rules/objects.js'
import { controller, gatewayClass } from './objects.js'

/** A cluster with the GatewayClass `lab` and these objects, after all controllers have run, served by this proxy. */
export function clusterOf(objects: readonly object[], proxy?: 'nginx' | 'haproxy'): Cluster {
  const cluster = clusterWith(...[gatewayClass, ...objects].map((one) => JSON.stringify(one)))
  const service = { namespace: 'default', name: 'no-such' }
  return { ...cluster, ingressControllers: [{ controller, service, proxy }] }
}

/** The statuses that a controller writes: of each route by kind, name and parent, and of each listener of each Gateway. */
export function statusesOf(objects: readonly object[], proxy?: 'nginx' | 'haproxy') {
  const cluster = clusterOf(objects, proxy)
  const after = withGatewayStatus(cluster, controller, [{ ip: '192.0.2.1' }])
  const routes = [...(after.httpRoutes ?? []), ...(after.grpcRoutes ?? []), ...(after.tlsRoutes ?? [])]
  const route = (name: string, parent: Partial<ParentReference> = {}) => {
    const found =
      routes.find(({ kind, metadata }) => `${kind}/${metadata.name}` === name)?.status?.parents ?? []
    const own = found.find(({ parentRef }) =>
      Object.entries(parent).every(([key, value]) => parentRef[key as keyof ParentReference] === value),
    )
    return reasons(own?.conditions)
  }
  return {
    ...{ after, route },
    configuration: gatewayConfiguration(cluster, controller).configuration,
    gateways: (after.gateways ?? []).map(({ status }) => reasons(status?.conditions)),
    listeners: (after.gateways ?? []).map(({ status }) =>
      (status?.listeners ?? []).map(({ conditions }) => reasons(conditions)),
    ),
  }
}

/** The reasons of conditions, with their messages if they have one. */
export function reasons(conditions: readonly GatewayCondition[] = []): string[] {
  return conditions.map(({ reason, message }) => (message === '' ? reason : `${reason}: ${message}`))
}
