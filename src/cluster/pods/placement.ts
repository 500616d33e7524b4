import type { Problem } from '../../errors.js'
import { nearestNode } from '../controllers/nodeAffinity.js'
import { unschedulableReason } from '../controllers/scheduler.js'
import { didYouMean } from '../../text/nearestName.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { podAddresses } from './podFacts.js'
import { podOrigins } from './podOrigins.js'
import type { Cluster, Pod } from '../types.js'

/**
 * Problems of pods that have no node or no address in the settled cluster, one for each object that creates such pods.
 */
export function placementProblems(cluster: Cluster, objects: readonly LocatedObject[]): Problem[] {
  const originOf = podOrigins(cluster, objects)
  const reported = new Set<LocatedObject>()
  return cluster.pods.flatMap((pod): Problem[] => {
    if (podAddresses(pod).length > 0) return []
    const origin = originOf(pod)
    if (origin === undefined || reported.has(origin.located)) return []
    reported.add(origin.located)
    return [problem(pod, origin.located, origin.path, cluster)]
  })
}

function problem(pod: Pod, origin: LocatedObject, path: readonly string[], cluster: Cluster): Problem {
  const { kind, metadata } = origin.object
  const subject = kind === 'Pod' ? `Pod "${metadata.name}"` : `a pod of ${kind} "${metadata.name}"`
  const reason = unschedulableReason(pod)
  if (reason !== undefined) {
    const set = (['nodeSelector', 'affinity'] as const).find((name) => pod.spec[name] !== undefined)
    const field = set === undefined ? path : [...path, set]
    const nearest = reason.includes('node affinity/selector') && nearestNode(pod.spec, cluster.nodes)
    const hint = nearest
      ? `${nearest}; topology.nodes in lab.yaml sets labels`
      : /free ports|anti-affinity/.test(reason)
        ? 'topology.nodes in lab.yaml adds nodes'
        : undefined
    return { message: `${subject} cannot be scheduled: ${reason}`, at: origin.at(field), hint }
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
