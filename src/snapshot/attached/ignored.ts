import type { Bundle } from './bundle.js'

/** Kinds whose objects can decide what happens to a request, beside the rules of nodes, with their plural. */
const deciding: Readonly<Record<string, string>> = {
  NetworkPolicy: 'NetworkPolicies',
  AdminNetworkPolicy: 'AdminNetworkPolicies',
  BaselineAdminNetworkPolicy: 'BaselineAdminNetworkPolicies',
  ClusterNetworkPolicy: 'ClusterNetworkPolicies',
  GlobalNetworkPolicy: 'GlobalNetworkPolicies',
  CiliumNetworkPolicy: 'CiliumNetworkPolicies',
  CiliumClusterwideNetworkPolicy: 'CiliumClusterwideNetworkPolicies',
  AuthorizationPolicy: 'AuthorizationPolicies',
  Ingress: 'Ingresses',
  Gateway: 'Gateways',
  ListenerSet: 'ListenerSets',
  HTTPRoute: 'HTTPRoutes',
  GRPCRoute: 'GRPCRoutes',
  TCPRoute: 'TCPRoutes',
  TLSRoute: 'TLSRoutes',
  VirtualService: 'VirtualServices',
}

/** The objects of these kinds that were attached, except `evaluated` ones, with their count: `2 NetworkPolicies`. No answer looks at them. */
export function ignoredObjects({ objects, otherKinds }: Bundle, evaluated: readonly string[]): string[] {
  const counts = new Map(otherKinds)
  for (const { object } of objects) counts.set(object.kind, (counts.get(object.kind) ?? 0) + 1)
  return Object.entries(deciding).flatMap(([kind, plural]) => {
    const count = evaluated.includes(kind) ? 0 : (counts.get(kind) ?? 0)
    return count === 0 ? [] : [`${count} ${count === 1 ? kind : plural}`]
  })
}
