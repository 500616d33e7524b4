import type { Problem } from '../../errors.js'
import { unschedulableReason } from '../controllers/scheduler.js'
import { didYouMean } from '../../text/nearestName.js'
import { objectKey, type LocatedObject } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { podAddresses } from './podFacts.js'
import type { Cluster, Pod } from '../types.js'

/**
 * Problems of pods that have no node or no address in the settled cluster, one for each object that creates such pods.
 */
export function placementProblems(cluster: Cluster, objects: readonly LocatedObject[]): Problem[] {
  const located = new Map(objects.map((item) => [objectKey(item.object), item]))
  const owners = new Map((cluster.replicaSets ?? []).map((set) => [objectKey(set), controllerKey(set)]))
  const reported = new Set<LocatedObject>()
  return cluster.pods.flatMap((pod): Problem[] => {
    if (podAddresses(pod).length > 0) return []
    const set = controllerKey(pod)
    const origin = located.get((set === undefined ? undefined : owners.get(set)) ?? set ?? objectKey(pod))
    if (origin === undefined || reported.has(origin)) return []
    reported.add(origin)
    const path = origin.object.kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec']
    return [problem(pod, origin, path, cluster)]
  })
}

function problem(pod: Pod, origin: LocatedObject, path: readonly string[], cluster: Cluster): Problem {
  const { kind, metadata } = origin.object
  const subject = kind === 'Pod' ? `Pod "${metadata.name}"` : `a pod of ${kind} "${metadata.name}"`
  const reason = unschedulableReason(pod)
  if (reason !== undefined) {
    const field = pod.spec.nodeSelector === undefined ? path : [...path, 'nodeSelector']
    return { message: `${subject} cannot be scheduled: ${reason}`, at: origin.at(field) }
  }
  const names = cluster.nodes.map((node) => node.metadata.name)
  const { nodeName = '' } = pod.spec
  const at = origin.at([...path, 'nodeName'])
  if (names.includes(nodeName)) return { message: `${subject}: no address is free on node "${nodeName}"`, at }
  return {
    message: `${subject}: nodeName "${nodeName}" is not a node of the lab`,
    at,
    hint: didYouMean(nodeName, names) ?? `the lab has ${names.join(', ')}`,
  }
}
