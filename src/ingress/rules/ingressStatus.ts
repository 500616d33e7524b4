import type { Ingress, Service } from '../../cluster/types.js'

type Addresses = NonNullable<NonNullable<Ingress['status']>['loadBalancer']>['ingress']

/**
 * Where clients reach the Ingresses that the controller behind a Service serves, as ingress-nginx tells it: the addresses
 * that the load balancer gave, the Service's external ones, or else its cluster IP.
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

/** An Ingress with these addresses in its status; the same one where it has them. */
export function withAddresses(ingress: Ingress, addresses: NonNullable<Addresses>): Ingress {
  const known = ingress.status?.loadBalancer?.ingress ?? []
  if (JSON.stringify(known) === JSON.stringify(addresses)) return ingress
  return { ...ingress, status: { loadBalancer: addresses.length === 0 ? {} : { ingress: addresses } } }
}
