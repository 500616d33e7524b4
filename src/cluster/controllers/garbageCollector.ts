import { hasFinalizers, withFinalizer, withMarked, withoutFinalized } from '../changes/finalizers.js'
import { replaceObject } from '../changes/findObject.js'
import { kinds, objectsOf, withObjects } from '../kinds/index.js'
import { objectKey } from '../manifests/locatedObject.js'
import { endPods, isEnding } from '../pods/endPods.js'
import type { Cluster, KubeObject, OwnerReference, Pod } from '../types.js'

/** The finalizer of an object that is deleted after its dependents (metav1.FinalizerDeleteDependents). */
export const foregroundDeletion = 'foregroundDeletion'

const namespaced = new Map(kinds.map((one) => [one.kind, one.namespaced]))

/**
 * Garbage collector: deletes objects whose owners no longer exist, and the dependents of objects that are deleted in the
 * foreground before these. An object that keeps an owner loses only its references to the others. An owner of a kind that
 * the cluster does not store counts as existing.
 */
export function collectGarbage(before: Cluster): Cluster {
  const cluster = withoutOrphans(withoutReferences(before))
  return kinds
    .flatMap(({ kind }) => objectsOf(cluster, kind))
    .filter(isInForeground)
    .reduce(withoutDependents, cluster)
}

function isInForeground(object: KubeObject): boolean {
  return isEnding(object) && (object.metadata.finalizers ?? []).includes(foregroundDeletion)
}

/** Whether the owner of a dependent exists. */
type Exists = (dependent: KubeObject) => (owner: OwnerReference) => boolean

/** Which owners exist, of those that are asked for. */
function existingOwners(cluster: Cluster, isOwner: (object: KubeObject) => boolean = () => true): Exists {
  const present = new Map<string, Set<string>>()
  return (dependent) => (owner) => {
    const isNamespaced = namespaced.get(owner.kind)
    if (isNamespaced === undefined) return true
    const keys =
      present.get(owner.kind) ?? new Set(objectsOf(cluster, owner.kind).filter(isOwner).map(objectKey))
    present.set(owner.kind, keys)
    return keys.has(ownerKey(owner, dependent))
  }
}

/** Objects with an owner that stays, without their references to owners that are gone or wait for their dependents. */
function withoutReferences(cluster: Cluster): Cluster {
  const stays = existingOwners(cluster, (object) => !isInForeground(object))
  const kept = (object: KubeObject): KubeObject => {
    const { ownerReferences = [] } = object.metadata
    const solid = ownerReferences.filter(stays(object))
    if (solid.length === 0 || solid.length === ownerReferences.length) return object
    return { ...object, metadata: { ...object.metadata, ownerReferences: solid } }
  }
  return kinds.reduce((next, { kind }) => {
    const objects = objectsOf(next, kind)
    const changed = new Map(objects.filter(hasSeveralOwners).map((one) => [one, kept(one)]))
    const isSame = [...changed].every(([before, after]) => before === after)
    return isSame
      ? next
      : withObjects(
          next,
          kind,
          objects.map((one) => changed.get(one) ?? one),
        )
  }, cluster)
}

function hasSeveralOwners(object: KubeObject): boolean {
  return (object.metadata.ownerReferences ?? []).length > 1 && !isEnding(object)
}

function withoutOrphans(cluster: Cluster): Cluster {
  const exists = existingOwners(cluster)
  const isOrphan = (object: KubeObject) => {
    const { ownerReferences = [] } = object.metadata
    return ownerReferences.length > 0 && !isEnding(object) && !ownerReferences.some(exists(object))
  }
  const revisions = cluster.controllerRevisions ?? []
  const kept = revisions.filter((revision) => !isOrphan(revision))
  const start = kept.length === revisions.length ? cluster : { ...cluster, controllerRevisions: kept }
  return kinds.reduce((next, { kind }) => {
    const orphans = objectsOf(cluster, kind).filter(isOrphan)
    return orphans.length === 0 ? next : withoutAll(next, kind, orphans)
  }, start)
}

/** Deletes the dependents of an owner, and the owner when none that blocks its deletion is left. */
function withoutDependents(cluster: Cluster, owner: KubeObject): Cluster {
  const key = objectKey(owner)
  const reference = (object: KubeObject) =>
    object.metadata.ownerReferences?.find((one) => ownerKey(one, object) === key)
  const isBlocking = (object: KubeObject) => reference(object)?.blockOwnerDeletion === true
  const dependents = kinds.flatMap(({ kind }) => objectsOf(cluster, kind).filter(reference))
  const revisions = (cluster.controllerRevisions ?? []).filter((one) => reference(one) === undefined)
  const start =
    revisions.length === (cluster.controllerRevisions ?? []).length
      ? cluster
      : { ...cluster, controllerRevisions: revisions }
  if (!dependents.some(isBlocking)) return withoutFinalizer(start, owner)
  return dependents.filter((one) => !isEnding(one)).reduce(withoutDependent, start)
}

/** A dependent is deleted in the foreground too; the kubelet ends a pod. */
function withoutDependent(cluster: Cluster, dependent: KubeObject): Cluster {
  if (dependent.kind === 'Pod') return endPods(cluster, new Set([dependent as Pod]))
  const held = withFinalizer(dependent, foregroundDeletion)
  return withMarked(replaceObject(cluster, dependent, held), held)
}

function withoutFinalizer(cluster: Cluster, owner: KubeObject): Cluster {
  const { finalizers = [], ...metadata } = owner.metadata
  const others = finalizers.filter((name) => name !== foregroundDeletion)
  const kept = others.length === 0 ? metadata : { ...metadata, finalizers: others }
  const next = { ...owner, metadata: kept }
  return withoutFinalized(replaceObject(cluster, owner, next), next)
}

/** Deletes objects of one kind; those with finalizers are only marked. */
function withoutAll(cluster: Cluster, kind: string, objects: readonly KubeObject[]): Cluster {
  if (kind === 'Pod') return endPods(cluster, new Set(objects as readonly Pod[]))
  const gone = new Set(objects.filter((object) => !hasFinalizers(object)))
  const kept = objectsOf(cluster, kind).filter((object) => !gone.has(object))
  return objects.filter(hasFinalizers).reduce(withMarked, withObjects(cluster, kind, kept))
}

/** The key of an owner, which is in the namespace of its dependent or in none. */
function ownerKey({ kind, name }: OwnerReference, { metadata }: KubeObject): string {
  return `${kind}/${namespaced.get(kind) === false ? '' : (metadata.namespace ?? '')}/${name}`
}
