import { pendingLoadBalancers } from '../controllers/loadBalancers.js'
import { gatewayNotices } from './gatewayNotices.js'
import { PodIndex } from '../labelIndex.js'
import { addressFamily } from '../../net/ranges.js'
import { isEchoContainer } from '../pods/echoPorts.js'
import { hostPortsOf } from '../pods/hostPorts.js'
import { isRecord, records } from './loose.js'
import { missingForPod } from '../pods/podNeeds.js'
import { volumeSources } from '../schema/volume.js'
import { workloadNotices } from './workloadNotices.js'
import type { Cluster, KubeObject, Pod, Service } from '../types.js'

/**
 * Notices about valid input that is probably a mistake, such as a selector that selects no pod or a field without
 * effect.
 */
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
    ...missingNotices(cluster),
    ...emptyVolumeNotices(cluster),
    ...workloadNotices(cluster),
    ...gatewayNotices(cluster),
    ...listed(
      'gRPC probes of containers that the echo server replaces always pass: it does not support gRPC',
      podsWhere(cluster, hasUnqueriedProbe),
    ),
    ...listed('initContainers are not run', podsWhere(cluster, hasInitContainers)),
    ...listed(
      'affinity and topologySpreadConstraints are ignored',
      podsWhere(cluster, (spec) => hasAffinity(spec) || 'topologySpreadConstraints' in spec),
    ),
    ...listed(
      'a hostIP that is not an address: its port is not opened',
      podsWhere(cluster, (spec) =>
        hostPortsOf({ spec }).some(
          ({ hostIP }) => hostIP !== undefined && addressFamily(hostIP) === undefined,
        ),
      ),
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

// Kubelet would not start these containers; the echo server, which replaces them, does not need the data.
function missingNotices(cluster: Cluster): string[] {
  const byMessage = new Map<string, Pod[]>()
  for (const pod of cluster.pods)
    for (const { message } of missingForPod(pod, cluster, 'echo'))
      byMessage.set(message, [...(byMessage.get(message) ?? []), pod])
  return [...byMessage].flatMap(([message, pods]) =>
    listed(`${message}: a real cluster would not start its container; the echo server starts anyway`, [
      ...new Set(pods.map(ownerName)),
    ]),
  )
}

/** Volumes of hosts, clouds and accounts, in pods that run a command. */
function emptyVolumeNotices(cluster: Cluster): string[] {
  const runs = (spec: Spec) => !spec.containers.every(isEchoContainer)
  const has = (volume: Record<string, unknown>, field: string): boolean =>
    field === 'serviceAccountToken'
      ? isRecord(volume['projected']) &&
        records(volume['projected']['sources']).some((source) => field in source)
      : field in volume
  return [...volumeSources, 'serviceAccountToken']
    .filter((field) => !builtVolumes.includes(field))
    .flatMap((field) =>
      listed(
        field === 'hostPath'
          ? 'hostPath volumes are folders of the lab, empty at first: they show no files of the host'
          : field === 'serviceAccountToken'
            ? 'service accounts are not supported: volumes have no serviceAccountToken'
            : `${field} volumes are not supported: empty folders replace them`,
        podsWhere(cluster, (spec) => runs(spec) && records(spec['volumes']).some((one) => has(one, field))),
      ),
    )
}

const builtVolumes = ['configMap', 'secret', 'downwardAPI', 'projected', 'emptyDir', 'persistentVolumeClaim']

type Spec = Cluster['pods'][number]['spec']

// Named by their owners: a Deployment of a hundred pods is listed once.
function podsWhere(cluster: Cluster, holds: (spec: Spec) => boolean): string[] {
  const names = cluster.pods.filter((pod) => holds(pod.spec)).map(ownerName)
  return [...new Set(names)]
}

function ownerName({ metadata }: Pod): string {
  return `${metadata.namespace ?? 'default'}/${metadata.ownerReferences?.[0]?.name ?? metadata.name}`
}

function hasUnqueriedProbe({ containers }: Spec): boolean {
  return containers
    .filter(isEchoContainer)
    .some((one) => [one.startupProbe, one.readinessProbe, one.livenessProbe].some((probe) => probe?.grpc))
}

// Init containers that always restart are sidecars, and run.
function hasInitContainers(spec: Spec): boolean {
  return (spec.initContainers ?? []).some((container) => container['restartPolicy'] !== 'Always')
}

/** False for the node of a DaemonSet's pod, which its controller writes as an affinity for fields. */
function hasAffinity({ affinity }: Spec): boolean {
  return affinity !== undefined && !JSON.stringify(affinity).includes('matchFields')
}

function listed(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}

function fullName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}
