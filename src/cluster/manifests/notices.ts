import { apiWarnings } from './apiWarnings.js'
import { namespacedName } from '../namespacedName.js'
import { pendingLoadBalancers } from '../controllers/loadBalancers.js'
import { ingressClassName } from '../ingressClass.js'
import { kindOf, objectsOf } from '../kinds/index.js'
import { gatewayNotices } from './gatewayNotices.js'
import { PodIndex } from '../labelIndex.js'
import { addressFamily } from '../../net/ranges.js'
import { isEchoContainer, isOnlyInImage } from '../pods/containerCommand.js'
import { isProbeRun, probesOf } from '../pods/probes.js'
import { hostPortsOf } from '../pods/hostPorts.js'
import { isRecord, records } from './loose.js'
import type { LocatedObject } from './locatedObject.js'
import { missingForPod } from '../pods/podNeeds.js'
import { volumeSources } from '../schema/volume.js'
import { followingPods, targetPortNotices } from './targetPortNotices.js'
import { workloadNotices } from './workloadNotices.js'
import type { Cluster, KubeObject, Pod, Service } from '../types.js'

/**
 * Notices about valid input that is probably a mistake, such as a selector that selects no pod or a field without
 * effect. With `objects`, there are the warnings of the API server about them, and notices about their target ports, with positions.
 */
export function clusterNotices(cluster: Cluster, objects?: readonly LocatedObject[]): readonly string[] {
  const pods = new PodIndex(cluster.pods)
  return [
    ...cluster.services
      .filter((service) => selectsNothing(service, pods))
      .map((service) => {
        const selector = Object.entries(service.spec.selector ?? {}).map(([key, value]) => `${key}=${value}`)
        return `Service ${namespacedName(service)} selects no pod (${selector.join(',')}): it has no endpoints`
      }),
    ...targetPortNotices(cluster, pods, objects),
    ...listed('pods that declare no ports: the echo server listens on the target ports of their Services', [
      ...new Set(followingPods(cluster, pods).map(ownerName)),
    ]),
    ...pendingLoadBalancers(cluster),
    ...missingNotices(cluster),
    ...emptyVolumeNotices(cluster),
    ...workloadNotices(cluster),
    ...gatewayNotices(cluster),
    ...unservedIngresses(cluster),
    ...apiWarnings(objects ?? []).map(({ at, message }) => `${at}: Warning: ${message}`),
    ...storedOnly.flatMap((kind) =>
      listed(`${kind} objects are stored, and nothing acts on them`, objectsOf(cluster, kind).map(named)),
    ),
    ...listed(
      'commands that only images have, which are not pulled: the echo server replaces their containers, and those of Jobs succeed at once (`images` in lab.yaml sets another command)',
      imageCommands(cluster),
    ),
    ...listed(
      'probes of containers that the echo server replaces always pass if they need gRPC, TLS or a program of the image',
      podsOf(cluster, (pod) =>
        pod.spec.containers.some((one) =>
          probesOf(one).some((probe) => !isProbeRun(pod, one, probe, cluster)),
        ),
      ),
    ),
    ...listed('initContainers are not run', podsWhere(cluster, hasInitContainers)),
    ...listed(
      'preferred affinity to pods and topologySpreadConstraints are ignored',
      podsWhere(cluster, (spec) => hasPodPreferences(spec) || 'topologySpreadConstraints' in spec),
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

/** Kinds without an effect in a lab. */
const storedOnly = ['CronJob', 'PodDisruptionBudget', 'PriorityClass']

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
  const runs = (pod: Pod) => !pod.spec.containers.every((one) => isEchoContainer(pod, one, cluster))
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
        podsOf(cluster, (pod) => runs(pod) && records(pod.spec['volumes']).some((one) => has(one, field))),
      ),
    )
}

const builtVolumes = ['configMap', 'secret', 'downwardAPI', 'projected', 'emptyDir', 'persistentVolumeClaim']

type Spec = Cluster['pods'][number]['spec']

// Named by their owners: a Deployment of a hundred pods is listed once.
function podsWhere(cluster: Cluster, holds: (spec: Spec) => boolean): string[] {
  return podsOf(cluster, ({ spec }) => holds(spec))
}

function podsOf({ pods }: Cluster, holds: (pod: Pod) => boolean): string[] {
  return [...new Set(pods.filter(holds).map(ownerName))]
}

function ownerName({ metadata }: Pod): string {
  return `${metadata.namespace ?? 'default'}/${metadata.ownerReferences?.[0]?.name ?? metadata.name}`
}

/** Ingresses of which no controller of the lab serves the class. */
function unservedIngresses({
  ingresses = [],
  ingressClasses = [],
  ingressControllers = [],
}: Cluster): string[] {
  const controllers = new Set(ingressControllers.map(({ controller }) => controller))
  const served = ingressClasses.filter(({ spec }) => controllers.has(spec.controller ?? ''))
  const names = new Set(served.map(({ metadata }) => metadata.name))
  const unserved = ingresses.filter((one) => !names.has(ingressClassName(one) ?? ''))
  return listed(
    'no controller serves these Ingresses (`ingress` in lab.yaml starts one)',
    unserved.map((one) => `${namespacedName(one)} (${classText(ingressClassName(one))})`),
  )
}

function classText(name: string | undefined): string {
  return name === undefined ? 'no class' : `class ${name}`
}

function imageCommands(cluster: Cluster): string[] {
  const names = cluster.pods.flatMap((pod) =>
    pod.spec.containers
      .filter((container) => isOnlyInImage(pod, container, cluster))
      .map(({ command = [] }) => `${ownerName(pod)} (${command[0]})`),
  )
  return [...new Set(names)]
}

// Init containers that always restart are sidecars, and run.
function hasInitContainers(spec: Spec): boolean {
  return (spec.initContainers ?? []).some((container) => container['restartPolicy'] !== 'Always')
}

function hasPodPreferences({ affinity }: Spec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(
    (rules) => rules !== undefined && 'preferredDuringSchedulingIgnoredDuringExecution' in rules,
  )
}

function listed(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]
}

function named(object: KubeObject): string {
  return kindOf(object.kind).namespaced ? namespacedName(object) : object.metadata.name
}
