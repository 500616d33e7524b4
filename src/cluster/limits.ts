import { InputError, type Problem } from '../errors.js'
import { emptyLoad } from './controllers/nodeFit.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import { controllerKey } from './owners.js'
import type { Cluster, KubeObject, Job, Node, Pod, Service } from './types.js'
import { invalid, invalidObject } from './validation/fieldErrors.js'

/** Maximum number of pods on a node: the free addresses of an IPv4 /24. */
export const maxPodsPerNode = 253
/** Maximum number of pods in a cluster, whatever its number of nodes. */
export const maxPods = 10_000

/** Maximum number of ports of all Services together. */
export const maxServicePorts = 20_000
/** Maximum number of endpoints of all Services together: each port counts once per pod. */
export const maxEndpoints = 250_000

/** Problems of objects that exceed the limits of vethlab, counted before anything is created. */
export function limitProblems(objects: readonly LocatedObject[], nodes: readonly Node[]): Problem[] {
  return [...podLimitProblems(objects, nodes), ...servicePortProblems(objects)]
}

function servicePortProblems(objects: readonly LocatedObject[]): Problem[] {
  let total = 0
  for (const located of objects) {
    const { object } = located
    if (object.kind !== 'Service') continue
    const { ports = [] } = (object as Service).spec
    total += ports.length
    if (total > maxServicePorts) {
      const message = `with Service "${object.metadata.name}" the Services have ${total} ports; the limit is ${maxServicePorts}`
      return [{ message, at: located.at(['spec', 'ports']) }]
    }
  }
  return []
}

/** Throws InputError when Services have more endpoints than the limit. */
export function refuseTooManyEndpoints(count: number): void {
  if (count <= maxEndpoints) return
  const message = `the Services have more than ${maxEndpoints} endpoints: each port counts once per pod`
  throw new InputError([{ message, hint: 'fewer ports, fewer pods, or narrower selectors' }])
}

function podLimitProblems(objects: readonly LocatedObject[], nodes: readonly Node[]): Problem[] {
  const limit = limitOf(nodes)
  let total = 0
  for (const located of objects) {
    const { object } = located
    const wanted = podsWanted(object, nodes.length)
    total += wanted
    if (total > limit) {
      const path = 'replicas' in (specOf(object) ?? {}) ? ['spec', 'replicas'] : ['metadata', 'name']
      return [{ message: tooMany(object, wanted, total, limit), at: located.at(path), hint: hintOf(nodes) }]
    }
  }
  return []
}

/** The same for a live cluster, before its controllers run. Throws InputError. */
export function refuseOverLimits(cluster: Cluster): void {
  const { nodes, deployments, replicaSets = [], statefulSets = [], daemonSets = [], pods, services } = cluster
  const objects = [...deployments, ...replicaSets, ...statefulSets, ...daemonSets, ...pods, ...services]
  const at = () => ({ file: '', line: 1, column: 1 })
  const problems = limitProblems(
    objects.map((object) => ({ object, file: '', at })),
    nodes,
  )
  if (problems.length > 0) throw new InputError(problems)
}

function limitOf(nodes: readonly Node[]): number {
  const capacities = nodes.map((node) => Math.min(emptyLoad(node).capacity, maxPodsPerNode))
  return Math.min(
    maxPods,
    capacities.reduce((sum, capacity) => sum + capacity, 0),
  )
}

/**
 * Pods with a controller are counted at the controller; a pod that already has a node, as in the dump of a cluster,
 * needs no further room.
 */
function podsWanted(object: KubeObject, nodes: number): number {
  if (controllerKey(object) !== undefined) return 0
  switch (object.kind) {
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return specOf(object)?.replicas ?? 1
    case 'Job':
      return (object as Job).spec.parallelism ?? 1
    case 'DaemonSet':
      return nodes
    case 'Pod':
      return (object as Pod).spec.nodeName === undefined ? 1 : 0
    default:
      return 0
  }
}

function tooMany(object: KubeObject, wanted: number, total: number, limit: number): string {
  const { kind, metadata } = object
  const detail = `must be at most ${limit}: the nodes have no room for more pods`
  return wanted > limit && kind !== 'DaemonSet'
    ? invalidObject(kind, metadata.name, invalid(['spec', 'replicas'], wanted, detail))
    : `with ${kind} "${metadata.name}" the objects need ${total} pods; the nodes have room for ${limit}`
}

function hintOf(nodes: readonly Node[]): string {
  const count = nodes.length === 1 ? '1 node' : `${nodes.length} nodes`
  return `${count}, with at most ${maxPodsPerNode} pods each and ${maxPods} in all`
}

function specOf(object: KubeObject): { readonly replicas?: number } | undefined {
  return (object as KubeObject & { spec?: { readonly replicas?: number } }).spec
}
