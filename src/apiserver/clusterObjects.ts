import { gatewayApiFields } from '../cluster/kinds/gateway/gatewayApi.js'
import { deploymentStatus } from '../cluster/kinds/deployment.js'
import { kinds, objectsOf } from '../cluster/kinds/index.js'
import { architecture, nodeAddresses } from '../cluster/nodes.js'
import { podConditions } from '../cluster/pods/podConditions.js'
import { qosClass } from '../cluster/pods/qosClass.js'
import { withNamespaces } from '../cluster/kinds/namespace.js'
import type {
  Cluster,
  Deployment,
  EndpointSlice,
  KubeObject,
  Namespace,
  Node,
  Pod,
} from '../cluster/types.js'
import { withStartTimes } from '../ingress/gateway/transitions.js'
import { leaseNamespace, shownObjects } from './shownObjects.js'
import { timestamp } from './stamp.js'

/** Facts about the host that the objects of a cluster do not contain. */
export interface HostInfo {
  readonly kernel: string
  /** When the lab started. */
  readonly since: Date
  readonly osImage?: string
  /** Kubernetes version that the nodes report. */
  readonly gitVersion?: string
}

type Shown = (object: KubeObject) => KubeObject

/**
 * The objects of a cluster as the API shows them: with the status that kubelet and controllers would write (a node is
 * Ready, a container runs when its pod does, a Deployment counts its pods), and the namespaces that every cluster has.
 * Fields that an object already has are kept.
 */
export function clusterObjects(cluster: Cluster, host: HostInfo): readonly KubeObject[] {
  const start = timestamp(host.since)
  const nodes = new Map(cluster.nodes.map((node) => [node.metadata.name, node]))
  // Each list contains objects of its kind only.
  const shown: Readonly<Record<string, Shown>> = {
    Namespace: activeNamespace,
    Node: (node) => runningNode(node as Node, host),
    Pod: (pod) => runningPod(pod as Pod, nodes.get((pod as Pod).spec.nodeName ?? ''), host),
    EndpointSlice: (slice) => withNulls(slice as EndpointSlice),
    Deployment: (deployment) => timedDeployment(deployment as Deployment, cluster, start),
  }
  const namespaces = everyNamespace(cluster)
  const stored = kinds.flatMap(({ kind, group, statusOf }) => {
    const show =
      shown[kind] ??
      (statusOf && ((object) => withStatus(object, statusOf(object, cluster)))) ??
      (group === gatewayApiFields.group ? (object) => withTimes(object, start) : (object) => object)
    return objectsOf({ ...cluster, namespaces }, kind).map(show)
  })
  const names = namespaces.map(({ metadata }) => metadata.name)
  return [...stored, ...shownObjects(cluster, names, host.since)]
}

function withStatus(object: KubeObject, status: unknown): KubeObject {
  return Object.assign({ ...object }, { status })
}

/** The API server returns null for a slice's lists that are empty. */
function withNulls({ endpoints, ports = [], ...slice }: EndpointSlice): KubeObject {
  return Object.assign(slice, {
    endpoints: endpoints.length === 0 ? null : endpoints,
    ports: ports.length === 0 ? null : ports,
  })
}

/** An object that the API returned, as in a Cluster: lists of a slice that are null there are empty here. */
export function fromApi(object: KubeObject): KubeObject {
  if (object.kind !== 'EndpointSlice') return object
  const { endpoints, ports } = object as Nullable<EndpointSlice>
  return Object.assign({ ...object }, { endpoints: endpoints ?? [], ports: ports ?? [] })
}

type Nullable<Of> = { readonly [Key in keyof Of]: Of[Key] | null }

/** A condition without a time has been so from the start. */
function timedDeployment(deployment: Deployment, cluster: Cluster, start: string): KubeObject {
  const status = deploymentStatus(deployment, cluster)
  const times = { lastUpdateTime: start, lastTransitionTime: start }
  const conditions = (deployment.status?.conditions ?? []).map((condition) => ({ ...times, ...condition }))
  return withStatus(deployment, conditions.length === 0 ? status : { ...status, conditions })
}

/** Adds times to conditions that have none: the start of the lab. */
function withTimes(object: KubeObject & { readonly status?: unknown }, start: string): KubeObject {
  return object.status === undefined ? object : withStatus(object, withStartTimes(object.status, start))
}

/**
 * The namespaces of the cluster, and those that objects are in: kubectl looks up the namespace before it reports a
 * missing pod.
 */
function everyNamespace(cluster: Cluster): readonly Namespace[] {
  const named = kinds
    .filter((kind) => kind.namespaced)
    .flatMap(({ kind }) => objectsOf(cluster, kind))
    .map(({ metadata }) => metadata.namespace ?? 'default')
  return withNamespaces(cluster.namespaces, [
    'default',
    leaseNamespace,
    'kube-public',
    'kube-system',
    ...named,
  ])
}

function activeNamespace(namespace: KubeObject): KubeObject {
  const { name, labels } = namespace.metadata
  const metadata = { ...namespace.metadata, labels: { 'kubernetes.io/metadata.name': name, ...labels } }
  const phase = metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating'
  const active = { spec: { finalizers: ['kubernetes'] }, status: { phase } }
  return Object.assign({ ...namespace, metadata }, active)
}

function runningNode(node: Node, host: HostInfo): KubeObject {
  const { kernel, since, osImage = 'Linux', gitVersion = 'v1.36.2' } = host
  const nodeInfo = {
    kernelVersion: kernel,
    osImage,
    kubeletVersion: gitVersion,
    containerRuntimeVersion: 'vethlab://netns',
    operatingSystem: 'linux',
    architecture,
  }
  const times = { lastHeartbeatTime: timestamp(since), lastTransitionTime: timestamp(since) }
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      ...times,
      reason: 'KubeletReady',
      message: 'the network namespace is up',
    },
  ]
  return Object.assign({ ...node }, { status: { conditions, nodeInfo, ...node.status } })
}

/** The cluster has no phase for a pod whose containers do not run yet; a scheduler or kubelet reports it as Pending. */
function runningPod(pod: Pod, node: Node | undefined, { since }: HostInfo): KubeObject {
  const {
    phase = 'Pending',
    conditions: stated = [],
    containerStatuses: known = [],
    startTime,
  } = pod.status ?? {}
  const ready = stated.some(({ type, status }) => type === 'Ready' && status === 'True')
  const running = phase === 'Running'
  const isScheduled = (pod.spec.nodeName ?? '') !== ''
  const startedAt = timestamp(startTime === undefined ? since : new Date(startTime))
  const containerStatuses = pod.spec.containers.map(({ name, image }) => ({
    name,
    state: running ? { running: { startedAt } } : { waiting: { reason: 'ContainerCreating' } },
    lastState: {},
    ready: running && ready,
    restartCount: 0,
    image,
    imageID: '',
    started: running,
    ...known.find((status) => status.name === name),
  }))
  const status = {
    ...pod.status,
    phase,
    ...(startTime === undefined ? {} : { startTime: startedAt }),
    ...(node === undefined ? {} : { hostIPs: nodeAddresses(node).map((ip) => ({ ip })) }),
    qosClass: qosClass(pod),
  }
  if (!running && phase !== 'Pending' && known.length === 0) return Object.assign({ ...pod }, { status })
  const isReady = (name: string) => containerStatuses.some((one) => one.name === name && one.ready)
  const reported = isScheduled
    ? { conditions: podConditions(pod, timestamp(since), isReady), containerStatuses }
    : {}
  return Object.assign({ ...pod }, { status: { ...status, ...reported } })
}
