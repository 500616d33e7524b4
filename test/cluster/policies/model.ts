import type { Cluster } from '../../../src/cluster/types.js'
import { cluster } from '../lab.js'

/** Namespaces and pods as those of Kubernetes' e2e tests (test/e2e/network/netpol, model.go): each pod serves named ports. */
export const namespaces = ['x', 'y', 'z'] as const
const names = ['a', 'b', 'c'] as const

/** Pods as `x/a`. */
export const podNames = namespaces.flatMap((namespace) => names.map((name) => `${namespace}/${name}`))

/** A policy of namespace x by its spec; or another namespace, in `metadata`. */
export function policy(spec: unknown, metadata: object = {}): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'policy', namespace: 'x', ...metadata },
    spec,
  }
}

/** A policy of the cluster by its spec. */
export function clusterPolicy(spec: object, name = 'cluster'): object {
  return {
    apiVersion: 'policy.networking.k8s.io/v1alpha2',
    kind: 'ClusterNetworkPolicy',
    metadata: { name },
    spec,
  }
}

const ports = [80, 81].flatMap((containerPort) =>
  ['TCP', 'UDP'].map((protocol) => ({
    ...{ containerPort, protocol },
    name: `serve-${containerPort}-${protocol.toLowerCase()}`,
  })),
)

function pod(full: string): object {
  const [namespace = '', name = ''] = full.split('/')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { pod: name } },
    spec: {
      // the pods of a namespace are on both nodes
      nodeName: name === 'b' ? 'node-b' : 'node-a',
      containers: [{ name: 'agnhost', image: 'nginx', ports }],
    },
  }
}

/** The objects of the model. */
export const modelObjects: readonly object[] = [
  ...namespaces.map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ns: name } },
  })),
  ...podNames.map(pod),
]

/** The cluster of the model with some policies. */
export function modelCluster(
  policies: readonly object[],
  families: readonly ('IPv4' | 'IPv6')[] = ['IPv4'],
): Cluster {
  const objects = [...modelObjects, ...policies]
  return cluster(objects.map((object) => JSON.stringify(object)).join('\n---\n'), { families })
}

/** The address of a pod `x/a` in a family. */
export function addressOf({ pods }: Cluster, full: string, family: 'IPv4' | 'IPv6' = 'IPv4'): string {
  const found = pods.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === full)
  const ip = found?.status?.podIPs
    ?.map(({ ip }) => ip)
    .find((one) => one.includes(':') === (family === 'IPv6'))
  if (ip === undefined) throw new Error(`${full} has no address`)
  return ip
}
