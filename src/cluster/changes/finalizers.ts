import { kindOf, kinds, objectsOf, withObjects } from '../kinds/index.js'
import { isEnded } from '../pods/endPods.js'
import { objectKey } from '../manifests/locatedObject.js'
import type { Cluster, KubeObject, Pod, Reconciler } from '../types.js'
import { forbidden, type FieldError } from '../validation/fieldErrors.js'
import { replaceObject } from './findObject.js'

/** Whether a deletion only marks the object. */
export function hasFinalizers({ metadata }: KubeObject): boolean {
  return (metadata.finalizers ?? []).length > 0
}

/** The object with the time of its deletion; the same object when it has one. */
export function markedForDeletion(object: KubeObject, { now }: Cluster): KubeObject {
  if (object.metadata.deletionTimestamp !== undefined || now === undefined) return object
  const deletionTimestamp = now.replace(/\.\d+Z$/, 'Z')
  const { generation, ...metadata } = object.metadata
  const next = generation === undefined ? {} : { generation: generation + 1 }
  return { ...object, metadata: { ...metadata, ...next, deletionTimestamp, deletionGracePeriodSeconds: 0 } }
}

/** The object with one more finalizer; the same object when it has it. */
export function withFinalizer(object: KubeObject, name: string): KubeObject {
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(name)) return object
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, name] } }
}

/** Kinds that controllers delete, besides pods, whose end has several steps. */
const dependents = ['ReplicaSet', 'Job', 'EndpointSlice']

/** A controller that only marks the objects with finalizers that it would delete, as the API server does. */
export function holding(controller: Reconciler): Reconciler {
  return (before) => {
    const after = controller(before)
    if (after === before || before.now === undefined) return after
    return dependents.reduce((next, kind) => {
      const present = objectsOf(before, kind)
      const remaining = objectsOf(next, kind)
      if (present === remaining || !present.some(hasFinalizers)) return next
      const kept = new Set(remaining.map(objectKey))
      const held = present
        .filter((object) => hasFinalizers(object) && !kept.has(objectKey(object)))
        .map((object) => markedForDeletion(object, before))
      return held.length === 0 ? next : withHeld(next, before, kind, [...held, ...remaining])
    }, after)
  }
}

/** The earlier snapshot if holding the objects back leaves nothing that changed. */
function withHeld(after: Cluster, before: Cluster, kind: string, objects: readonly KubeObject[]): Cluster {
  const present = objectsOf(before, kind)
  const isAsBefore = objects.length === present.length && objects.every((object) => present.includes(object))
  const next = withObjects(after, kind, isAsBefore ? present : objects)
  return Object.entries(next).every(([key, value]) => isSameList(value, before[key as keyof Cluster]))
    ? before
    : next
}

function isSameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return one.length === other.length && one.every((item, index) => item === other[index])
}

/** The snapshot after an update: an object that waited for its last finalizer is removed, and then its Namespace may be. */
export function withoutFinalized(cluster: Cluster, object: KubeObject): Cluster {
  const { deletionTimestamp, namespace } = object.metadata
  if (deletionTimestamp === undefined || hasFinalizers(object)) return cluster
  // The kubelet removes a pod whose containers still run.
  if (object.kind === 'Pod' && !isEnded(object as Pod)) return cluster
  const others = objectsOf(cluster, object.kind).filter((one) => one !== object)
  const next = withObjects(cluster, object.kind, others)
  return kindOf(object.kind).namespaced ? withoutEmptyNamespace(next, namespace ?? 'default') : next
}

function withoutEmptyNamespace(cluster: Cluster, name: string): Cluster {
  const space = cluster.namespaces.find(({ metadata }) => metadata.name === name)
  if (space?.metadata.deletionTimestamp === undefined || hasFinalizers(space)) return cluster
  return isWaitedFor(cluster, name)
    ? cluster
    : { ...cluster, namespaces: cluster.namespaces.filter((one) => one !== space) }
}

/** Whether objects with finalizers are in a Namespace. */
export function isWaitedFor(cluster: Cluster, namespace: string): boolean {
  return kinds.some(
    ({ kind, namespaced }) =>
      namespaced &&
      objectsOf(cluster, kind).some(
        (one) => (one.metadata.namespace ?? 'default') === namespace && hasFinalizers(one),
      ),
  )
}

/** The snapshot with an object marked for deletion. */
export function withMarked(cluster: Cluster, object: KubeObject): Cluster {
  const marked = markedForDeletion(object, cluster)
  return marked === object ? cluster : replaceObject(cluster, object, marked)
}

/** ValidateObjectMetaUpdate: an object that is being deleted gets no more finalizers. */
export function addedFinalizers(before: KubeObject, { metadata }: KubeObject): FieldError[] {
  if (before.metadata.deletionTimestamp === undefined) return []
  const old = before.metadata.finalizers ?? []
  const added = (metadata.finalizers ?? []).filter((name) => !old.includes(name))
  if (added.length === 0) return []
  const list = added.map((name) => JSON.stringify(name)).join(', ')
  return [
    forbidden(
      ['metadata', 'finalizers'],
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ]
}
