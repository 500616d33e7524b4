import { nodeAddresses } from '../../cluster/nodes.js'
import type { Ingress, Node, Service } from '../../cluster/types.js'
import { familyOf } from '../../net/ipFamily.js'

type Addresses = NonNullable<NonNullable<Ingress['status']>['loadBalancer']>['ingress']

/**
 * The addresses in the status of Ingresses whose controller is behind a Service, as in ingress-nginx: those of the load
 * balancer, the external IPs of the Service, or otherwise its cluster IP.
 */
export function ingressAddresses({ spec, status }: Service): NonNullable<Addresses> {
  const external = (spec.externalIPs ?? []).map((ip) => ({ ip }))
  if (spec.type === 'LoadBalancer')
    return [
      ...(status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
        ...(ip === undefined ? {} : { ip }),
        ...(hostname === undefined ? {} : { hostname }),
      })),
      ...external,
    ]
  if (external.length > 0) return external
  const { clusterIP = 'None' } = spec
  return clusterIP === 'None' || clusterIP === '' ? [] : [{ ip: clusterIP }]
}

/**
 * The addresses in the status of Gateways: those of an Ingress, except for a Service of type NodePort, which clients reach at the
 * addresses of nodes.
 */
export function gatewayAddresses(service: Service, nodes: readonly Node[]): NonNullable<Addresses> {
  const { externalIPs = [], ipFamilies = [], type } = service.spec
  if (type !== 'NodePort' || externalIPs.length > 0) return ingressAddresses(service)
  return nodes
    .flatMap(nodeAddresses)
    .filter((ip) => ipFamilies.length === 0 || ipFamilies.includes(familyOf(ip)))
    .map((ip) => ({ ip }))
}

/** An Ingress with these addresses in its status; the same object if it already has them. */
export function withAddresses(ingress: Ingress, addresses: NonNullable<Addresses>): Ingress {
  const known = ingress.status?.loadBalancer?.ingress ?? []
  if (JSON.stringify(known) === JSON.stringify(addresses)) return ingress
  return { ...ingress, status: { loadBalancer: addresses.length === 0 ? {} : { ingress: addresses } } }
}
