import { addedRanges } from '../allocation/addedRanges.js'
import { InputError, type Problem } from '../../errors.js'
import { allocateServices } from '../allocation/services.js'
import type { ClusterOptions } from '../cluster.js'
import { tolerates } from '../controllers/nodeFit.js'
import { canonicalJson } from '../hash.js'
import { endPods } from '../pods/endPods.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { didYouMean } from '../../text/nearestName.js'
import { withDefaultClass } from '../ingressClass.js'
import { problemsOf } from '../manifests/readObject.js'
import type { Cluster, Ingress, KubeObject, Node, Service } from '../types.js'
import { addedFinalizers, withoutFinalized } from './finalizers.js'
import { replaceObject } from './findObject.js'
import { kindOf, objectsOf, withObjects } from '../kinds/index.js'
import { absentNamespace, namespaceExists } from '../kinds/namespace.js'
import { storedForm } from './storedForm.js'
import { updatedObject } from './update.js'
import { updatedService } from './updateService.js'

/**
 * The cluster with an object replaced: allocated values are kept, a change of an immutable field throws InputError.
 * Returns the same cluster when nothing changes.
 */
export function withUpdated(
  cluster: Cluster,
  existing: KubeObject,
  located: LocatedObject,
  options: ClusterOptions,
): Cluster {
  const { object, errors } =
    existing.kind === 'Service'
      ? updatedService(existing as Service, located.object as Service, located.faults ?? [], cluster, {
          ...options,
          ...addedRanges(cluster),
        })
      : updatedObject(existing, located.object)
  const all = [...addedFinalizers(existing, object), ...errors]
  if (all.length > 0) throw new InputError(problemsOf({ ...located, object }, all))
  const stored = storedForm(object)
  if (canonicalJson(stored) === canonicalJson(existing)) return cluster
  const replaced = withoutFinalized(replaceObject(cluster, existing, stored), stored)
  return stored.kind === 'Node' ? evictTainted(replaced, stored as Node) : replaced
}

/** The cluster with a new object, which gets its creation time and its allocated values. */
export function withCreated(cluster: Cluster, written: LocatedObject, options: ClusterOptions): Cluster {
  const { kind, metadata } = written.object
  if (kind === 'Node') throw new InputError([unknownNode(cluster, written)])
  const { namespace } = metadata
  if (kindOf(kind).namespaced && !namespaceExists(cluster, namespace))
    throw new InputError([absentNamespace(written)])
  const object = withCreationTime(written.object, cluster)
  if (kind !== 'Service' && (written.faults ?? []).length > 0)
    throw new InputError(problemsOf(written, written.faults ?? []))
  const admitted =
    kind === 'Service'
      ? admitService(cluster, { ...written, object }, options)
      : kind === 'Ingress'
        ? withDefaultClass(object as Ingress, cluster.ingressClasses ?? [])
        : object
  return withObjects(cluster, kind, [...objectsOf(cluster, kind), storedForm(admitted)])
}

/** When objects conflict, the oldest wins; objects from the start of a lab have no time and are older. */
function withCreationTime(object: KubeObject, { now }: Cluster): KubeObject {
  if (now === undefined) return object
  const creationTimestamp = now.replace(/\.\d+Z$/, 'Z')
  return { ...object, metadata: { ...object.metadata, creationTimestamp } }
}

function unknownNode(cluster: Cluster, located: LocatedObject): Problem {
  const { metadata } = located.object
  const names = cluster.nodes.map((node) => node.metadata.name)
  return {
    message: `Node "${metadata.name}" is not a node of the lab`,
    at: located.at(['metadata', 'name']),
    hint: didYouMean(metadata.name, names) ?? `the lab has ${names.join(', ')}`,
  }
}

/**
 * A new Service with its allocated families, addresses and node ports, given those of the other Services. Throws
 * InputError when a requested value is not available, and for its faults.
 */
function admitService(cluster: Cluster, located: LocatedObject, options: ClusterOptions): Service {
  const { services, problems } = allocateServices(
    [located],
    { ...options, ...addedRanges(cluster) },
    cluster.services,
  )
  const [admitted] = services
  if (problems.length > 0 || admitted === undefined) throw new InputError(problems)
  return admitted
}

/**
 * Deletes the pods of a node that do not tolerate one of its taints with the effect NoExecute (taint eviction controller). A
 * real cluster deletes those that tolerate it for `tolerationSeconds` after that time; here they stay.
 */
function evictTainted(cluster: Cluster, { metadata, spec }: Node): Cluster {
  const taints = (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute')
  const evicted = cluster.pods.filter(
    (pod) => pod.spec.nodeName === metadata.name && taints.some((taint) => !tolerates(pod, taint)),
  )
  return endPods(cluster, new Set(evicted))
}
