import { isEchoContainer } from './echoPorts.js'
import type { Problem } from '../../errors.js'
import { positionText, objectKey, type LocatedObject } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import type { Missing } from './podData.js'
import { containerEnv } from './podEnv.js'
import { podVolumes } from './podVolumes.js'
import type { Cluster, Pod } from '../types.js'

/** Missing ConfigMaps and Secrets of a pod, for containers that are run or for those that the echo server replaces. */
export function missingForPod(pod: Pod, cluster: Cluster, which: 'run' | 'echo' = 'run'): readonly Missing[] {
  const containers = pod.spec.containers.filter(
    (container) => isEchoContainer(container) === (which === 'echo'),
  )
  if (containers.length === 0) return []
  return [
    // volumes belong to the pod: when any container is run, they must exist
    ...(which === 'run' || containers.length === pod.spec.containers.length
      ? podVolumes(pod, cluster).missing
      : []),
    ...containers.flatMap((container) => containerEnv(pod, container, cluster).missing),
  ]
}

/** The same for all pods, each problem reported once, at the position in its object. */
export function needProblems(cluster: Cluster, objects: readonly LocatedObject[]): Problem[] {
  const located = new Map(objects.map((item) => [objectKey(item.object), item]))
  const owners = new Map((cluster.replicaSets ?? []).map((set) => [objectKey(set), controllerKey(set)]))
  const problems = cluster.pods.flatMap((pod) => {
    const set = controllerKey(pod)
    const origin = located.get((set === undefined ? undefined : owners.get(set)) ?? set ?? objectKey(pod))
    const { kind, metadata } = origin?.object ?? pod
    const base = kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec']
    return missingForPod(pod, cluster).map(({ message, path }): Problem => ({
      message: `${kind} "${metadata.name}": ${message}`,
      at: origin?.at([...base, ...path]),
      hint: hintFor(message),
    }))
  })
  return [
    ...new Map(problems.map((one) => [`${one.message} ${one.at && positionText(one.at)}`, one])).values(),
  ]
}

function hintFor(message: string): string | undefined {
  if (message.includes('zero byte')) return 'a volume can contain it'
  return message.endsWith('not found')
    ? '`optional: true` lets its pods start without it'
    : '`optional: true` lets its pods start without the key'
}
