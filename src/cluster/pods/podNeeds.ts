import { isEchoContainer } from './containerCommand.js'
import type { Problem } from '../../errors.js'
import { positionText, type LocatedObject } from '../manifests/locatedObject.js'
import { missingPriorityClass } from './missingPriorityClass.js'
import type { Missing } from './podData.js'
import { containerEnv } from './podEnv.js'
import { podOrigins } from './podOrigins.js'
import { podVolumes } from './podVolumes.js'
import type { Cluster, Pod } from '../types.js'

/** Missing ConfigMaps and Secrets of a pod, for containers that are run or for those that the echo server replaces. */
export function missingForPod(pod: Pod, cluster: Cluster, which: 'run' | 'echo' = 'run'): readonly Missing[] {
  const containers = pod.spec.containers.filter(
    (container) => isEchoContainer(pod, container, cluster) === (which === 'echo'),
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

/** The same for all pods, and PriorityClasses that do not exist: each problem reported once, at the position in its object. */
export function needProblems(cluster: Cluster, objects: readonly LocatedObject[]): Problem[] {
  const originOf = podOrigins(cluster, objects)
  const problems = cluster.pods.flatMap((pod) => {
    const origin = originOf(pod)
    const { kind, metadata } = origin?.located.object ?? pod
    const forbidden = missingPriorityClass(pod.spec, cluster)
    const refused: Problem[] =
      forbidden === undefined
        ? []
        : [
            {
              message:
                kind === 'Pod'
                  ? `pods "${metadata.name}" is forbidden: ${forbidden}`
                  : `no pod of ${kind} "${metadata.name}" is created: ${forbidden}`,
              at: origin?.located.at([...origin.path, 'priorityClassName']),
              hint: 'add it to the manifests',
            },
          ]
    const missing = missingForPod(pod, cluster).map(({ message, path }): Problem => ({
      message: `${kind} "${metadata.name}": ${message}`,
      at: origin?.located.at([...origin.path, ...path]),
      hint: hintFor(message),
    }))
    return [...refused, ...missing]
  })
  return [
    ...new Map(problems.map((one) => [`${one.message} ${one.at && positionText(one.at)}`, one])).values(),
  ]
}

function hintFor(message: string): string | undefined {
  if (message.includes('zero byte')) return 'a volume can contain it'
  return message.endsWith('not found')
    ? 'add it to the manifests; `optional: true` lets its pods start without it'
    : '`optional: true` lets its pods start without the key'
}
