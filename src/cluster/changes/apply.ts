import { InputError, type Problem } from '../../errors.js'
import type { ClusterOptions } from '../cluster.js'
import { canonicalJson } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import { didYouMean } from '../../text/nearestName.js'
import { portClashes } from '../portClashes.js'
import { withDefaultClass } from '../ingressClass.js'
import { problemsOf } from '../manifests/readObject.js'
import type { Cluster, Ingress, KubeObject, Node, Service } from '../types.js'
import { admitService } from './admitService.js'
import { addedFinalizers, withoutFinalized } from './finalizers.js'
import { matchesRef, replaceObject } from './findObject.js'
import { kindOf, objectsOf, printedName, withObjects } from '../kinds/index.js'
import { absentNamespace, namespaceExists } from '../kinds/namespace.js'
import { storedForm } from './storedForm.js'
import { evictTainted } from './taintEviction.js'
import { withAppliedFields } from './withAppliedFields.js'
import { updatedObject } from './update.js'
import { updatedService } from './updateService.js'

/**
 * Creates objects, or updates existing ones, like `kubectl apply`: what others have added to an object stays, what the
 * last applied manifest had and the new one lacks is removed. The Namespace of a new
 * object must exist.
 */
export function applyObjects(
  before: Cluster,
  objects: readonly LocatedObject[],
  options: ClusterOptions,
): { cluster: Cluster; said: readonly string[] } {
  const clashes = portClashes(objects)
  if (clashes.length > 0) throw new InputError(clashes)
  const said: string[] = []
  const cluster = objects.reduce((current, located) => {
    const { kind, metadata } = located.object
    const existing = objectsOf(current, kind).find((one) => matchesRef(one, { kind, ...metadata }))
    const applied = current.applied?.get(objectKey(located.object))
    const next =
      existing === undefined
        ? withCreated(current, located, options)
        : withUpdated(current, existing, withAppliedFields(existing, located, applied), options)
    const verb = existing === undefined ? 'created' : next === current ? 'unchanged' : 'configured'
    said.push(`${printedName(located.object)} ${verb}`)
    return noted(next, located)
  }, before)
  return { cluster, said }
}

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
      ? updatedService(existing as Service, located.object as Service, located.faults ?? [], cluster, options)
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

/** Stores the manifest; fields that are removed from it are then deleted at the next apply. */
function noted(cluster: Cluster, { object, written }: LocatedObject): Cluster {
  const key = objectKey(object)
  if (written === undefined || canonicalJson(cluster.applied?.get(key)) === canonicalJson(written))
    return cluster
  return { ...cluster, applied: new Map([...(cluster.applied ?? []), [key, written]]) }
}
