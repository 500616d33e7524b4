import type {
  GatewayClass,
  Gateway,
  GRPCRoute,
  HTTPRoute,
  ReferenceGrant,
  TLSRoute,
} from '../../cluster/gatewayTypes.js'
import type { Cluster, EndpointSlice, KubeObject, Namespace, Secret, Service } from '../../cluster/types.js'
import type { Related } from './describer.js'

/** The related objects of a resource, as objects of its kind. */
export function typed<Kind extends KubeObject>(related: Related, resource: string): Kind[] {
  // a list of a resource holds objects of its kind
  return (related[resource] ?? []) as Kind[]
}

/** The related objects as far as backends, Secrets and the Gateway API go, as a cluster. */
export function clusterOf(related: Related): Cluster {
  const none = { nodes: [], deployments: [], pods: [] }
  return {
    ...none,
    namespaces: typed<Namespace>(related, 'namespaces'),
    services: typed<Service>(related, 'services'),
    endpointSlices: typed<EndpointSlice>(related, 'endpointslices'),
    secrets: typed<Secret>(related, 'secrets'),
    gatewayClasses: typed<GatewayClass>(related, 'gatewayclasses'),
    gateways: typed<Gateway>(related, 'gateways'),
    httpRoutes: typed<HTTPRoute>(related, 'httproutes'),
    grpcRoutes: typed<GRPCRoute>(related, 'grpcroutes'),
    tlsRoutes: typed<TLSRoute>(related, 'tlsroutes'),
    referenceGrants: typed<ReferenceGrant>(related, 'referencegrants'),
  }
}

/** An endpoint as it is written: `10.244.1.2:80`, `[fd00::1]:80`. */
export function endpointText({ address, port }: { readonly address: string; readonly port: number }): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}
