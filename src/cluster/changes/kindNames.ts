import type { Cluster, KubeObject } from '../types.js'

interface KindName {
  readonly kind: string
  /** As kubectl names it in its answers: `deployment.apps`. */
  readonly said: string
  readonly names: readonly string[]
  readonly namespaced: boolean
  /** Where a snapshot holds such objects. */
  readonly list: Exclude<keyof Cluster, 'now' | 'past' | 'applied' | 'loadBalancer' | 'ingressControllers'>
}

const kindNames: readonly KindName[] = [
  name('Node', 'node', ['nodes', 'no'], 'nodes', false),
  name('Namespace', 'namespace', ['namespaces', 'ns'], 'namespaces', false),
  name('Pod', 'pod', ['pods', 'po'], 'pods'),
  name('Service', 'service', ['services', 'svc'], 'services'),
  name('Deployment', 'deployment.apps', ['deployments', 'deploy'], 'deployments'),
  name('ReplicaSet', 'replicaset.apps', ['replicasets', 'rs'], 'replicaSets'),
  name('StatefulSet', 'statefulset.apps', ['statefulsets', 'sts'], 'statefulSets'),
  name('DaemonSet', 'daemonset.apps', ['daemonsets', 'ds'], 'daemonSets'),
  name('ConfigMap', 'configmap', ['configmaps', 'cm'], 'configMaps'),
  name('Secret', 'secret', ['secrets'], 'secrets'),
  name('IngressClass', 'ingressclass.networking.k8s.io', ['ingressclasses'], 'ingressClasses', false),
  name('Ingress', 'ingress.networking.k8s.io', ['ingresses', 'ing'], 'ingresses'),
  name(
    'GatewayClass',
    'gatewayclass.gateway.networking.k8s.io',
    ['gatewayclasses', 'gc'],
    'gatewayClasses',
    false,
  ),
  name('Gateway', 'gateway.gateway.networking.k8s.io', ['gateways', 'gtw'], 'gateways'),
  name('HTTPRoute', 'httproute.gateway.networking.k8s.io', ['httproutes'], 'httpRoutes'),
  name('GRPCRoute', 'grpcroute.gateway.networking.k8s.io', ['grpcroutes'], 'grpcRoutes'),
  name('TLSRoute', 'tlsroute.gateway.networking.k8s.io', ['tlsroutes'], 'tlsRoutes'),
  name(
    'ReferenceGrant',
    'referencegrant.gateway.networking.k8s.io',
    ['referencegrants', 'refgrant'],
    'referenceGrants',
  ),
  name('EndpointSlice', 'endpointslice.discovery.k8s.io', ['endpointslices'], 'endpointSlices'),
]

function name(
  kind: string,
  said: string,
  more: readonly string[],
  list: KindName['list'],
  namespaced = true,
): KindName {
  const singular = kind.toLowerCase()
  return { kind, said, names: [singular, said, ...more], namespaced, list }
}

/** The kind that a word means, as kubectl takes it (`deploy`, `svc`, `pods`); undefined for one that there is not. */
export function kindNamed(word: string): string | undefined {
  return kindNames.find(({ names }) => names.includes(word.toLowerCase()))?.kind
}

/** What is known of a kind; throws for one that a cluster does not hold. */
export function kindOf(kind: string): KindName {
  const found = kindNames.find((one) => one.kind === kind)
  if (found === undefined) throw new Error(`a cluster holds no ${kind}`)
  return found
}

/** `deployment.apps/web`, as kubectl names an object in its answers. */
export function saidName({ kind, metadata }: KubeObject): string {
  return `${kindOf(kind).said}/${metadata.name}`
}

/** The objects of a kind in a snapshot. */
export function objectsOf(cluster: Cluster, kind: string): readonly KubeObject[] {
  return cluster[kindOf(kind).list] ?? []
}

/** The snapshot with other objects of a kind. */
export function withObjects(cluster: Cluster, kind: string, objects: readonly KubeObject[]): Cluster {
  return { ...cluster, [kindOf(kind).list]: objects }
}
