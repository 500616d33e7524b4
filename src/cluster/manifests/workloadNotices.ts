import { isRecord } from './loose.js'
import type { Cluster, KubeObject } from '../types.js'

type Spec = Readonly<Record<string, unknown>>

/** Fields of workloads that a lab reads and does not act upon, with what happens instead. */
const without: readonly { readonly what: string; readonly holds: (spec: Spec, kind: string) => boolean }[] = [
  {
    what: 'minReadySeconds is not waited for: a pod counts as available as soon as it is ready',
    holds: ({ minReadySeconds }) => typeof minReadySeconds === 'number' && minReadySeconds > 0,
  },
  {
    what: 'progressDeadlineSeconds does nothing: a rollout that does not go on is not given up',
    holds: ({ progressDeadlineSeconds }) => progressDeadlineSeconds !== undefined,
  },
  {
    what: 'maxSurge of a DaemonSet does nothing: the old pod goes before the new one comes',
    holds: ({ updateStrategy }, kind) =>
      kind === 'DaemonSet' && ![undefined, 0, '0%'].includes(rollingOf(updateStrategy)['maxSurge'] as number),
  },
  {
    what: 'maxUnavailable of a StatefulSet does nothing: its pods are replaced one at a time',
    holds: ({ updateStrategy }, kind) =>
      kind === 'StatefulSet' &&
      ![undefined, 1].includes(rollingOf(updateStrategy)['maxUnavailable'] as number),
  },
]

/** A line for each field of workloads that does nothing here. */
export function workloadNotices(cluster: Cluster): string[] {
  const workloads: readonly (KubeObject & { readonly spec: object })[] = [
    ...cluster.deployments,
    ...(cluster.replicaSets ?? []),
    ...(cluster.statefulSets ?? []),
    ...(cluster.daemonSets ?? []),
  ]
  return without.flatMap(({ what, holds }) => {
    const named = workloads
      .filter(({ kind, spec }) => holds(spec as Spec, kind))
      .map(({ metadata }) => `${metadata.namespace ?? 'default'}/${metadata.name}`)
    return named.length === 0 ? [] : [`${what}: ${named.join(', ')}`]
  })
}

function rollingOf(strategy: unknown): Spec {
  const rolling = isRecord(strategy) ? strategy['rollingUpdate'] : undefined
  return isRecord(rolling) ? rolling : {}
}
