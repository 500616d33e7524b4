import type { Ingress, Service } from '../../cluster/types.js'

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

/** An Ingress with these addresses in its status; the same object if it already has them. */
export function withAddresses(ingress: Ingress, addresses: NonNullable<Addresses>): Ingress {
  const known = ingress.status?.loadBalancer?.ingress ?? []
  if (JSON.stringify(known) === JSON.stringify(addresses)) return ingress
  return { ...ingress, status: { loadBalancer: addresses.length === 0 ? {} : { ingress: addresses } } }
}
