import type { Problem } from '../../errors.js'
import { unschedulableReason } from '../controllers/scheduler.js'
import { didYouMean } from '../../text/nearestName.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { podAddresses } from './podFacts.js'
import { podOrigins } from './podOrigins.js'
import type { Cluster, Node, Pod } from '../types.js'

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
    const field = pod.spec.nodeSelector === undefined ? path : [...path, 'nodeSelector']
    const hint = reason.includes('node affinity/selector')
      ? selectorHint(pod, cluster.nodes)
      : reason.includes('free ports')
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

/** The selector of a pod, and what the node that comes nearest to it does not have. */
function selectorHint({ spec: { nodeSelector = {} } }: Pod, nodes: readonly Node[]): string | undefined {
  const wanted = Object.entries(nodeSelector)
  const missing = ({ metadata }: Node) =>
    wanted.filter(([key, value]) => metadata.labels?.[key] !== value).map(([key]) => key)
  const [nearest] = [...nodes].sort((a, b) => missing(a).length - missing(b).length)
  if (nearest === undefined || wanted.length === 0) return undefined
  const { name, labels = {} } = nearest.metadata
  const differences = missing(nearest).map((key) =>
    labels[key] === undefined ? `has no label ${key}` : `has ${key}=${labels[key]}`,
  )
  const selector = wanted.map(([key, value]) => `${key}=${value}`).join(',')
  return `the nodeSelector is ${selector}; the nearest node, ${name}, ${differences.join(' and ')}; topology.nodes in lab.yaml sets labels`
}
