import type { Problem } from '../errors.js'
import { objectKey, positionText } from './locatedObject.js'
import type { LocatedObject } from './locatedObject.js'

/** The resource of each kind, as the API server names it in its messages. */
export const plurals: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  Node: 'nodes',
  Pod: 'pods',
  Service: 'services',
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  IngressClass: 'ingressclasses.networking.k8s.io',
  Ingress: 'ingresses.networking.k8s.io',
  GatewayClass: 'gatewayclasses.gateway.networking.k8s.io',
  Gateway: 'gateways.gateway.networking.k8s.io',
  HTTPRoute: 'httproutes.gateway.networking.k8s.io',
  GRPCRoute: 'grpcroutes.gateway.networking.k8s.io',
  TLSRoute: 'tlsroutes.gateway.networking.k8s.io',
  ReferenceGrant: 'referencegrants.gateway.networking.k8s.io',
  EndpointSlice: 'endpointslices.discovery.k8s.io',
}

/** Objects of one kind, namespace and name: each but the first is a problem that points at the first too. */
export function duplicateProblems(objects: readonly LocatedObject[]): Problem[] {
  const first = new Map<string, LocatedObject>()
  return objects.flatMap((located) => {
    const { object } = located
    const key = objectKey(object)
    const earlier = first.get(key)
    if (earlier === undefined || object.metadata.name === '') {
      first.set(key, located)
      return []
    }
    return [
      {
        message: `${plurals[object.kind] ?? object.kind} "${object.metadata.name}" already exists`,
        at: located.at(['metadata', 'name']),
        hint: `the first is at ${positionText(earlier.at(['metadata', 'name']))}`,
      },
    ]
  })
}
