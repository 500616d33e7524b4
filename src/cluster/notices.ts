import { pendingLoadBalancers } from './controllers/loadBalancers.js'
import { PodIndex } from './labelIndex.js'
import type { Cluster, KubeObject, Service } from './types.js'

/** What is allowed but likely not meant, a line each: a selector that selects nothing, a field that does nothing here. */
export function clusterNotices(cluster: Cluster): readonly string[] {
  const pods = new PodIndex(cluster.pods)
  return [
    ...cluster.services
      .filter((service) => selectsNothing(service, pods))
      .map((service) => {
        const selector = Object.entries(service.spec.selector ?? {}).map(([key, value]) => `${key}=${value}`)
        return `Service ${fullName(service)} selects no pod (${selector.join(',')}): it has no endpoints`
      }),
    ...pendingLoadBalancers(cluster),
    ...listed('initContainers are not run', podsWhere(cluster, hasInitContainers)),
    ...listed(
      'affinity and topologySpreadConstraints do not move pods here',
      podsWhere(cluster, (spec) => 'affinity' in spec || 'topologySpreadConstraints' in spec),
    ),
  ]
}

function selectsNothing(service: Service, pods: PodIndex): boolean {
  const { selector = {}, type } = service.spec
  const { namespace } = service.metadata
  return (
    type !== 'ExternalName' &&
    Object.keys(selector).length > 0 &&
    pods.select(namespace, selector).length === 0
  )
}

type Spec = Cluster['pods'][number]['spec']

// Named by their owners: a Deployment of a hundred pods is one thing to say.
function podsWhere(cluster: Cluster, holds: (spec: Spec) => boolean): string[] {
  const names = cluster.pods
    .filter((pod) => holds(pod.spec))
    .map(
      (pod) =>
        `${pod.metadata.namespace ?? 'default'}/${pod.metadata.ownerReferences?.[0]?.name ?? pod.metadata.name}`,
    )
  return [...new Set(names)]
}

// Those that restart always are sidecars, and run.
function hasInitContainers(spec: Spec): boolean {
  return (spec.initContainers ?? []).some((container) => container['restartPolicy'] !== 'Always')
}

function listed(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}

function fullName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}
