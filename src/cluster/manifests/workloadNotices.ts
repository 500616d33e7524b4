import { namespacedName } from '../namespacedName.js'
import { isRecord } from './loose.js'
import type { Cluster, KubeObject } from '../types.js'

type Spec = Readonly<Record<string, unknown>>

/** Fields of workloads that are accepted and ignored, with the actual behaviour. */
const without: readonly { readonly what: string; readonly holds: (spec: Spec, kind: string) => boolean }[] = [
  {
    what: 'maxSurge of a DaemonSet is ignored: the old pod is deleted before the new one is created',
    holds: ({ updateStrategy }, kind) =>
      kind === 'DaemonSet' && ![undefined, 0, '0%'].includes(rollingOf(updateStrategy)['maxSurge'] as number),
  },
  {
    what: 'maxUnavailable of a StatefulSet is ignored: its pods are replaced one at a time',
    holds: ({ updateStrategy }, kind) =>
      kind === 'StatefulSet' &&
      ![undefined, 1].includes(rollingOf(updateStrategy)['maxUnavailable'] as number),
  },
]

/** A notice for each field of workloads that is ignored. */
export function workloadNotices(cluster: Cluster): string[] {
  const workloads: readonly (KubeObject & { readonly spec: object })[] = [
    ...cluster.deployments,
    ...(cluster.replicaSets ?? []),
    ...(cluster.statefulSets ?? []),
    ...(cluster.daemonSets ?? []),
  ]
  return without.flatMap(({ what, holds }) => {
    const named = workloads.filter(({ kind, spec }) => holds(spec as Spec, kind)).map(namespacedName)
    return named.length === 0 ? [] : [`${what}: ${named.join(', ')}`]
  })
}

function rollingOf(strategy: unknown): Spec {
  const rolling = isRecord(strategy) ? strategy['rollingUpdate'] : undefined
  return isRecord(rolling) ? rolling : {}
}
