import { objectKey, type LocatedObject } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import type { Cluster, Pod } from '../types.js'

/** The object of a manifest from which a pod was created. */
export interface PodOrigin {
  readonly located: LocatedObject
  /** The path of the pod's spec in it. */
  readonly path: readonly string[]
}

/** Finds the origins of a cluster's pods; undefined for a pod that no manifest created. */
export function podOrigins(
  cluster: Cluster,
  objects: readonly LocatedObject[],
): (pod: Pod) => PodOrigin | undefined {
  const located = new Map(objects.map((item) => [objectKey(item.object), item]))
  const between = [...(cluster.replicaSets ?? []), ...(cluster.jobs ?? [])]
  const owners = new Map(between.map((one) => [objectKey(one), controllerKey(one)]))
  return (pod) => {
    const owner = controllerKey(pod)
    const found = located.get(owners.get(owner ?? '') ?? owner ?? objectKey(pod))
    if (found === undefined) return undefined
    return { located: found, path: specPath(found.object.kind) }
  }
}

function specPath(kind: string): string[] {
  if (kind === 'Pod') return ['spec']
  return kind === 'CronJob'
    ? ['spec', 'jobTemplate', 'spec', 'template', 'spec']
    : ['spec', 'template', 'spec']
}
