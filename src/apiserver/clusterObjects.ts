import type { Cluster, KubeObject, Namespace, Node, Pod } from '../cluster/types.js'
import { withStartTimes } from '../ingress/gateway/transitions.js'
import { timestamp } from './stamp.js'
import { workloadObjects } from './workloadObjects.js'

/** What the objects of a cluster do not say of the machine they are on. */
export interface Machine {
  readonly kernel: string
  /** When the lab came up. */
  readonly since: Date
  readonly osImage?: string
  /** Version that the nodes claim to run. */
  readonly gitVersion?: string
}

/**
 * The objects of a cluster as the API shows them: with what kubelet and controllers would have written in
 * their status (a node is Ready, a container runs when its pod does, a Deployment counts its pods), and the
 * namespaces that every cluster has. What an object says itself stays.
 */
export function clusterObjects(cluster: Cluster, machine: Machine): readonly KubeObject[] {
  return [
    ...everyNamespace(cluster),
    ...cluster.nodes.map((node) => runningNode(node, machine)),
    ...(cluster.configMaps ?? []),
    ...(cluster.secrets ?? []),
    ...(cluster.ingressClasses ?? []),
    ...(cluster.ingresses ?? []),
    ...[...(cluster.gatewayClasses ?? []), ...inNamespaces(cluster)].map((one) =>
      withTimes(one, timestamp(machine.since)),
    ),
    ...workloadObjects(cluster),
    ...cluster.pods.map((pod) => runningPod(pod, machine)),
    ...cluster.services.map((service) => ({ ...service, status: { loadBalancer: {}, ...service.status } })),
    ...cluster.endpointSlices,
  ]
}

/** Conditions have held since the lab came up, where nothing else is said. */
function withTimes<Kind extends KubeObject & { readonly status?: unknown }>(
  object: Kind,
  start: string,
): Kind {
  return object.status === undefined ? object : { ...object, status: withStartTimes(object.status, start) }
}

/** The objects of the Gateway API that are in namespaces. */
function inNamespaces(cluster: Cluster): readonly KubeObject[] {
  const { gateways = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [], referenceGrants = [] } = cluster
  return [...gateways, ...httpRoutes, ...grpcRoutes, ...tlsRoutes, ...referenceGrants]
}

/**
 * Those of the cluster, and those that are only named: kubectl looks them up before it says that a pod is
 * missing.
 */
function everyNamespace(cluster: Cluster): readonly KubeObject[] {
  const given = cluster.namespaces
  const known = new Set(given.map(({ metadata }) => metadata.name))
  const objects = [
    ...(cluster.configMaps ?? []),
    ...(cluster.secrets ?? []),
    ...(cluster.ingresses ?? []),
    ...inNamespaces(cluster),
    ...cluster.deployments,
    ...(cluster.replicaSets ?? []),
    ...(cluster.statefulSets ?? []),
    ...(cluster.daemonSets ?? []),
    ...cluster.pods,
    ...cluster.services,
    ...cluster.endpointSlices,
  ]
  const named = new Set([
    'default',
    'kube-system',
    ...objects.map(({ metadata }) => metadata.namespace ?? 'default'),
  ])
  const missing = [...named].filter((name) => !known.has(name))
  const made: Namespace[] = missing.map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }))
  return [...made, ...given].map((namespace) => ({
    ...namespace,
    metadata: {
      ...namespace.metadata,
      labels: { 'kubernetes.io/metadata.name': namespace.metadata.name, ...namespace.metadata.labels },
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }))
}

function runningNode(node: Node, machine: Machine): KubeObject {
  const { kernel, since, osImage = 'Linux', gitVersion = 'v1.36.2' } = machine
  const nodeInfo = {
    kernelVersion: kernel,
    osImage,
    kubeletVersion: gitVersion,
    containerRuntimeVersion: 'vethlab://netns',
    operatingSystem: 'linux',
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
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

function runningPod(pod: Pod, { since }: Machine): KubeObject {
  const { phase, conditions = [], containerStatuses: told = [], startTime } = pod.status ?? {}
  const ready = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const running = phase === 'Running'
  const containerStatuses = pod.spec.containers.map(({ name, image }) => ({
    name,
    state: running
      ? { running: { startedAt: startTime ?? timestamp(since) } }
      : { waiting: { reason: 'ContainerCreating' } },
    lastState: {},
    ready: running && ready,
    restartCount: 0,
    image,
    imageID: '',
    ...told.find((status) => status.name === name),
  }))
  return phase === 'Running' || phase === 'Pending'
    ? Object.assign({ ...pod }, { status: { ...pod.status, containerStatuses } })
    : pod
}
